package firstboot

import (
	"fmt"
	"runtime/debug"
	"time"

	"golang.org/x/mod/module"
)

// Clock is the wall clock.
type Clock interface {
	Now() time.Time
	Set(time.Time) error
}

// Floor puts a clock that stands before the build forward to it. A Raspberry Pi starts
// in 1970, where no certificate is valid; one that is a few weeks late finds most of
// them so. It reports whether the clock was that wrong.
func Floor(c Clock, built time.Time) (floored bool, err error) {
	if !c.Now().Before(built) {
		return false, nil
	}
	if err := c.Set(built); err != nil {
		return true, fmt.Errorf("put the clock forward: %w", err)
	}
	return true, nil
}

// Built is when this program was made: the time within the version that it was
// stamped with, or that of its commit. The zero time is one that is not known.
func Built(version string) time.Time {
	if t, err := module.PseudoVersionTime(version); err == nil {
		return t
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return time.Time{}
	}
	for _, s := range info.Settings {
		if t, err := time.Parse(time.RFC3339, s.Value); s.Key == "vcs.time" && err == nil {
			return t
		}
	}
	return time.Time{}
}

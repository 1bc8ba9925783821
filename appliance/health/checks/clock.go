package checks

import (
	"context"
	"runtime/debug"
	"time"

	"github.com/prompt64/prompt64/appliance/health"
)

// released is a moment before any build of this program, for a build that does
// not know its own.
var released = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// setBack is how far the clock may be corrected backwards without a word.
const setBack = time.Minute

// Clock looks at the wall clock. A Raspberry Pi has none that runs without power:
// it starts in the past, and the network sets it.
type Clock struct {
	Wall   func() time.Time     // the time of day
	Ran    func() time.Duration // monotonic time since Start
	Start  time.Time            // what Wall said then
	Built  time.Time            // the clock cannot be right before this
	Synced func() bool          // the system says that it follows a time server
	// Floored says that at the start the clock was put to the time of the build: it
	// is right only once it was set since.
	Floored bool
}

// SystemClock is this machine's clock.
func SystemClock() Clock {
	start := time.Now()
	return Clock{
		Wall:   time.Now,
		Ran:    func() time.Duration { return time.Since(start) },
		Start:  start,
		Built:  builtAt(),
		Synced: clockSynced,
	}
}

// builtAt is when this program was written, as far as it knows.
func builtAt() time.Time {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return released
	}
	for _, s := range info.Settings {
		if t, err := time.Parse(time.RFC3339, s.Value); s.Key == "vcs.time" && err == nil && t.After(released) {
			return t
		}
	}
	return released
}

// Set tells whether the clock was set since the machine had power.
func (c Clock) Set() bool {
	if c.Absurd() {
		return false
	}
	return !c.Floored || c.moved() > stirred || c.Synced()
}

// Absurd tells that the clock cannot be right: it stands before this program was made.
func (c Clock) Absurd() bool { return c.Wall().Round(0).Before(c.Built) }

// stirred is more than two readings of a clock differ by that nobody set.
const stirred = 2 * time.Second

// moved is by how much the clock was set since the start. Round takes the monotonic
// reading away, which would hide it.
func (c Clock) moved() time.Duration {
	return c.Wall().Round(0).Sub(c.Start.Round(0)) - c.Ran()
}

// Probe returns the clock's probe.
func (c Clock) Probe() health.Probe {
	return probe(health.Clock, "Clock", func(context.Context) health.Node { return c.check() }, health.Network)
}

func (c Clock) check() health.Node {
	shown := c.Wall().UTC().Format("2006-01-02 15:04 UTC")
	moved := c.moved()
	switch {
	case !c.Set():
		return fail("Wait a minute; the time comes from the internet (UDP port 123). Until then nobody can sign in at the agent's maker.",
			"the clock is not set: it says %s, which is when this program was made or before", shown)
	case c.Synced():
		return ok("%s, from a time server", shown)
	case moved < -setBack:
		return warn("Nothing, if the time is right now.", "%s; it was set back by %s", shown, (-moved).Round(time.Second))
	case moved > setBack:
		return ok("%s, set after the start", shown)
	}
	return ok("%s; whether a time server confirms it is not known", shown)
}

package stats

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadTime is what this thread has used of a processor.
func threadTime() (time.Duration, bool) {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_THREAD, &u) != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}

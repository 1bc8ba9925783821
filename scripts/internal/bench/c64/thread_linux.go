package c64

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadTime is what this thread has used of a processor; 0 where that is not
// known.
func threadTime() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_THREAD, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

package stats

import (
	"runtime"
	"time"
)

// Own binds the caller to its thread and gives a clock of the time that this
// thread uses: what other programs take in between does not count. ok is false
// where there is no such clock, and now is the system's clock then. It is for
// work that neither waits nor leaves its goroutine.
func Own() (now func() time.Time, ok bool, release func()) {
	runtime.LockOSThread()
	if _, ok := threadTime(); !ok {
		return time.Now, false, runtime.UnlockOSThread
	}
	now = func() time.Time {
		used, _ := threadTime()
		return time.Unix(0, int64(used))
	}
	return now, true, runtime.UnlockOSThread
}

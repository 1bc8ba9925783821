package vm

import (
	"runtime"
	"syscall"
)

// ties let the kernel kill the machine when the thread that started it ends, and
// with it this process.
func ties() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}

// tied runs f on a thread of its own, which lasts as long as f.
func tied(f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	f()
}

package workspace

import "golang.org/x/sys/unix"

// limitMemory bounds the memory of a process that was just started. It may have
// ended already, which is no error.
func limitMemory(pid int) {
	_ = unix.Prlimit(pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: memoryLimit, Max: memoryLimit}, nil)
}

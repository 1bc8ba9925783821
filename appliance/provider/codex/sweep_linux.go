package codex

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// environ is a process's environment as /proc has it.
type environ []byte

// value is a variable's value, empty if there is none.
func (e environ) value(name string) string {
	for pair := range bytes.SplitSeq(e, []byte{0}) {
		if v, ok := bytes.CutPrefix(pair, []byte(name+"=")); ok {
			return string(v)
		}
	}
	return ""
}

func (e environ) has(name, value string) bool { return value != "" && e.value(name) == value }

// sweep kills the processes whose environment matches, and says how many.
// Those of other users cannot be read, and are none of ours.
func sweep(match func(environ) bool) (killed int) {
	dir, err := os.Open("/proc")
	if err != nil {
		return 0
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return 0
	}
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || pid == os.Getpid() {
			continue
		}
		env, err := os.ReadFile("/proc/" + name + "/environ")
		if err == nil && match(env) && syscall.Kill(pid, syscall.SIGKILL) == nil {
			killed++
		}
	}
	return killed
}

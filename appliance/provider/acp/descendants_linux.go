package acp

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// kin is a process, told from a later one of the same number by its start time.
type kin struct {
	pid, parent, start int
	dead               bool // a zombie, which waits to be collected
}

// readKin reads proc(5)'s stat: the name, in parentheses, may hold anything.
func readKin(pid int) (kin, bool) {
	data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return kin{}, false
	}
	fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
	if len(fields) < 20 {
		return kin{}, false
	}
	parent, err1 := strconv.Atoi(fields[1])
	start, err2 := strconv.Atoi(fields[19])
	return kin{pid, parent, start, fields[0] == "Z"}, err1 == nil && err2 == nil
}

// descendants lists the processes beneath one.
func descendants(root int) []kin {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	children := map[int][]kin{}
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			if k, ok := readKin(pid); ok {
				children[k.parent] = append(children[k.parent], k)
			}
		}
	}
	var found []kin
	for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
		for _, k := range children[queue[0]] {
			found = append(found, k)
			queue = append(queue, k.pid)
		}
	}
	return found
}

// killAll kills those that still are who they were, and waits a moment for that
// to happen. They are not our children: nobody tells of their end.
func killAll(family []kin) {
	const steps, step = 50, 10 * time.Millisecond
	for range steps {
		left := 0
		for _, k := range family {
			if now, ok := readKin(k.pid); ok && now.start == k.start && !now.dead {
				_ = syscall.Kill(k.pid, syscall.SIGKILL)
				left++
			}
		}
		if left == 0 {
			return
		}
		time.Sleep(step)
	}
}

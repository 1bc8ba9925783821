package leaks

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// Processes has the end of a test wait for every process that has a variable, written
// as "NAME=value", in its environment. What a killed process started lives on for a
// moment, and may write into a folder that is about to be removed: call it
// after the folder was made. Where there is no /proc it waits for nothing.
func Processes(t testing.TB, variable string) {
	t.Cleanup(func() {
		if left := await(variable, patience); len(left) > 0 {
			t.Errorf("processes %v with %s outlive the test", left, variable)
		}
	})
}

// await returns the processes that are there still after a while.
func await(variable string, limit time.Duration) []int {
	for end := time.Now().Add(limit); ; time.Sleep(10 * time.Millisecond) {
		left := having(variable)
		if len(left) == 0 || time.Now().After(end) {
			return left
		}
	}
}

// having finds processes by their environment. A zombie has none.
func having(variable string) (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ") // the pattern is good
	for _, file := range files {
		all, err := os.ReadFile(file)
		if err != nil {
			continue // it ended, or is somebody else's
		}
		for pair := range bytes.SplitSeq(all, []byte{0}) {
			if string(pair) == variable {
				pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

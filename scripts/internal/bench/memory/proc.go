// Package memory measures what the bridge's process holds while it keeps as many
// detached leases as it may, each with a full log.
//
// It reads /proc, so it measures on Linux only.
package memory

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// usage is a process's memory in KiB.
type usage struct {
	resident     float64 // VmRSS
	peak         float64 // VmHWM
	proportional float64 // Pss: shared pages count in part
}

// usageOf reads /proc/PID.
func usageOf(pid int) (usage, error) {
	var u usage
	for _, file := range []struct {
		name   string
		fields map[string]*float64
	}{
		{"status", map[string]*float64{"VmRSS": &u.resident, "VmHWM": &u.peak}},
		{"smaps_rollup", map[string]*float64{"Pss": &u.proportional}},
	} {
		f, err := os.Open(fmt.Sprintf("/proc/%d/%s", pid, file.name))
		if err != nil {
			return u, fmt.Errorf("memory of the process: %w", err)
		}
		err = readKiB(f, file.fields)
		_ = f.Close()
		if err != nil {
			return u, fmt.Errorf("memory of the process: %s: %w", file.name, err)
		}
	}
	return u, nil
}

// readKiB finds lines such as "VmRSS:  1234 kB"; all that are asked for must be
// there.
func readKiB(r io.Reader, want map[string]*float64) error {
	found := 0
	for sc := bufio.NewScanner(r); sc.Scan(); {
		name, rest, _ := strings.Cut(sc.Text(), ":")
		to := want[name]
		if to == nil {
			continue
		}
		v, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 64)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		*to = v
		found++
	}
	if found != len(want) {
		return fmt.Errorf("%d of %d lines are there", found, len(want))
	}
	return nil
}

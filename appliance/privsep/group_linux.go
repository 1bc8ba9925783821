package privsep

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// groupName is the cgroup's name.
const groupName = "agent"

// openGroup makes the cgroup and sets its limits. What cannot be had is noted.
func (u *User) openGroup(o Options) {
	if o.Group == "" {
		return
	}
	lack := func(format string, args ...any) { u.lacks = append(u.lacks, fmt.Sprintf(format, args...)) }
	dir := filepath.Join(o.Group, groupName)
	f, err := makeGroup(dir)
	if err != nil {
		lack("the agent's programs have no limits: %v", err)
		return
	}
	u.cgroup = f
	for _, limit := range []struct {
		controller, file, words string
		value                   int64
	}{
		{"memory", "memory.max", "memory", o.Memory},
		{"pids", "pids.max", "number of processes", int64(o.Tasks)},
	} {
		if limit.value <= 0 {
			continue
		}
		// One that is on already may be asked for again.
		_ = write(filepath.Join(o.Group, "cgroup.subtree_control"), "+"+limit.controller)
		if err := write(filepath.Join(dir, limit.file), strconv.FormatInt(limit.value, 10)); err != nil {
			lack("this kernel sets no limit to the %s of the agent's programs", limit.words)
		}
	}
	// Swap would let the memory's limit be no limit; where there is none, no matter.
	_ = write(filepath.Join(dir, "memory.swap.max"), "0")
}

// makeGroup makes a cgroup and opens it; only version 2 will do.
func makeGroup(dir string) (*os.File, error) {
	err := os.Mkdir(dir, 0o755)
	if errors.Is(err, os.ErrExist) {
		if err = removeGroup(dir); err == nil {
			err = os.Mkdir(dir, 0o755)
		}
	}
	if err != nil {
		return nil, err
	}
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	var st unix.Statfs_t
	if err := unix.Fstatfs(int(f.Fd()), &st); err != nil || st.Type != unix.CGROUP2_SUPER_MAGIC {
		return nil, errors.Join(fmt.Errorf("%s is no cgroup of version 2", dir), f.Close(), os.Remove(dir))
	}
	return f, nil
}

// removeGroup ends what a former process left in a cgroup, and removes it. It is not
// used again: of one that was killed once, Linux 6.18 kills every process that is
// started into it later, as it compares the kill_seq of two cgroups
// (kernel/cgroup/cgroup.c, cgroup_post_fork).
func removeGroup(dir string) error {
	_ = write(filepath.Join(dir, "cgroup.kill"), "1")
	for deadline := time.Now().Add(killPatience); ; time.Sleep(10 * time.Millisecond) {
		err := os.Remove(dir) // busy until the last has gone
		if err == nil || time.Now().After(deadline) {
			return err
		}
	}
}

// killPatience is how long a killed process may take to go.
const killPatience = 5 * time.Second

func write(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// Memory is how much the user's programs may take of a machine's: all but a quarter,
// or but 160 MB where that is more, since the bridge, its pages and the Wi-Fi's driver
// must go on whatever the programs do.
func Memory() int64 {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0
	}
	return share(int64(info.Totalram) * int64(info.Unit))
}

func share(total int64) int64 { return max(total-max(160<<20, total/4), total/4) }

package bootpart

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Open returns the boot partition of the card that this system runs from. It is
// looked for at each use.
func Open() *Partition { return &Partition{system: linux{fstype: "vfat"}, temp: os.TempDir()} }

type linux struct{ fstype string }

func (linux) find() (string, error) { return Device(boot) }

// Device names a partition of the card that this system runs from.
func Device(number int) (string, error) {
	var st unix.Stat_t
	if err := unix.Stat("/", &st); err != nil {
		return "", fmt.Errorf("find the card: %w", err)
	}
	return sibling("/sys", unix.Major(uint64(st.Dev)), unix.Minor(uint64(st.Dev)), number)
}

func (l linux) mount(device, dir string, write bool) error {
	flags := uintptr(unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC | unix.MS_NOATIME)
	if !write {
		flags |= unix.MS_RDONLY
	}
	return unix.Mount(device, dir, l.fstype, flags, "")
}

func (linux) unmount(dir string) error { return unix.Unmount(dir, 0) }

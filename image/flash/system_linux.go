package flash

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// sysfs is where the kernel describes disks; mounts is what it has mounted, and
// swaps where it swaps to.
type sysfs struct{ blocks, mounts, swaps string }

var system = sysfs{"/sys/class/block", "/proc/self/mountinfo", "/proc/swaps"}

func inspectDevice(path string) (Disk, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return Disk{}, err
	}
	d, err := system.inspect(filepath.Base(real))
	if err != nil {
		return Disk{}, fmt.Errorf("%s is no disk: %w", path, err)
	}
	d.Path = real
	return d, nil
}

// inspect reads what the kernel knows of a disk.
func (s sysfs) inspect(name string) (Disk, error) {
	dir, err := filepath.EvalSymlinks(filepath.Join(s.blocks, name))
	if err != nil {
		return Disk{}, err
	}
	d := Disk{Name: name, Size: s.number(dir, "size") * sector, ReadOnly: s.number(dir, "ro") == 1}
	if s.text(dir, "partition") != "" {
		d.PartOf = "/dev/" + filepath.Base(filepath.Dir(dir))
		return d, nil
	}
	d.Model = strings.TrimSpace(s.text(dir, "device/vendor") + " " + s.text(dir, "device/model") + s.text(dir, "device/name"))
	d.Removable = s.removable(dir)
	parts, err := os.ReadDir(dir)
	if err != nil {
		return Disk{}, err
	}
	numbers := []string{s.text(dir, "dev")}
	holders := []string{dir}
	for _, p := range parts {
		sub := filepath.Join(dir, p.Name())
		if s.text(sub, "partition") != "" {
			d.Partitions = append(d.Partitions, Partition{Name: p.Name(), Size: s.number(sub, "size") * sector, Label: s.event(sub, "PARTNAME")})
			numbers = append(numbers, s.text(sub, "dev"))
			holders = append(holders, sub)
		}
	}
	if err := s.uses(&d, numbers); err != nil {
		return Disk{}, err
	}
	for _, h := range holders {
		if of, err := os.ReadDir(filepath.Join(h, "holders")); err == nil && len(of) > 0 && d.InUse == "" {
			d.InUse = of[0].Name() + " (encryption, RAID or LVM)"
		}
	}
	return d, nil
}

// removable reports a stick, a card in a reader, or a card in a slot. A reader at
// USB may say that its disk is fixed, and an eMMC sits on a slot's bus.
func (s sysfs) removable(dir string) bool {
	return s.number(dir, "removable") == 1 || strings.Contains(dir, "/usb") || s.text(dir, "device/type") == "SD"
}

// uses finds where a disk's parts are mounted, and whether the kernel swaps to them.
func (s sysfs) uses(d *Disk, numbers []string) error {
	f, err := os.Open(s.mounts)
	if err != nil {
		return err
	}
	defer f.Close()
	names := []string{d.Name}
	for _, p := range d.Partitions {
		names = append(names, p.Name)
	}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		// proc(5): id, parent, major:minor, root, mount point, options ... - type source
		fields := strings.Fields(lines.Text())
		if len(fields) < 5 {
			continue
		}
		// btrfs has numbers of its own, so the source's name counts, too.
		source := ""
		if i := slices.Index(fields, "-"); i >= 0 && i+2 < len(fields) {
			source = fields[i+2]
		}
		if slices.Contains(numbers, fields[2]) || strings.HasPrefix(source, "/dev/") && slices.Contains(names, filepath.Base(source)) {
			d.Mounted = append(d.Mounted, fields[4])
			d.System = d.System || fields[4] == "/" || strings.HasPrefix(fields[4], "/boot")
		}
	}
	swaps, err := os.ReadFile(s.swaps)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for line := range strings.Lines(string(swaps)) {
		if device, _, _ := strings.Cut(line, " "); strings.HasPrefix(device, "/dev/") && slices.Contains(names, filepath.Base(device)) {
			d.InUse = "swapping"
		}
	}
	return nil
}

func (s sysfs) text(dir, name string) string {
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

func (s sysfs) number(dir, name string) int64 {
	n, err := strconv.ParseInt(s.text(dir, name), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// event is a value of a device's uevent file.
func (s sysfs) event(dir, key string) string {
	for line := range strings.Lines(s.text(dir, "uevent")) {
		if v, ok := strings.CutPrefix(strings.TrimSpace(line), key+"="); ok {
			return v
		}
	}
	return ""
}

// disk is an open disk or file.
type disk struct {
	*os.File
	size   int64
	direct bool // past the page cache
}

// openDevice opens a disk past the page cache where that goes. The kernel then
// refuses one that is mounted or that another program holds (open(2), O_EXCL).
func openDevice(d Disk) (Device, error) {
	if d.File {
		f, err := os.OpenFile(d.Path, unix.O_RDWR|unix.O_CREAT, 0o644)
		return &disk{f, d.Size, false}, err
	}
	const flags = unix.O_RDWR | unix.O_EXCL
	f, err := os.OpenFile(d.Path, flags|unix.O_DIRECT, 0)
	direct := err == nil
	if errors.Is(err, unix.EINVAL) {
		f, err = os.OpenFile(d.Path, flags, 0)
	}
	if err != nil {
		return nil, err
	}
	return &disk{f, d.Size, direct}, nil
}

func (d *disk) Size() int64 { return d.size }

// Forget empties the caches between this program and the disk.
func (d *disk) Forget() error {
	if info, err := d.Stat(); err == nil && info.Mode()&os.ModeDevice != 0 {
		_, _, errno := unix.Syscall(unix.SYS_IOCTL, d.Fd(), unix.BLKFLSBUF, 0)
		if errno != 0 && errno != unix.EACCES && errno != unix.EPERM {
			return errno
		}
	}
	if d.direct {
		return nil
	}
	return unix.Fadvise(int(d.Fd()), 0, 0, unix.FADV_DONTNEED)
}

// Close has the kernel read the new partition table, which may fail where somebody
// looks at the old one.
func (d *disk) Close() error {
	if info, err := d.Stat(); err == nil && info.Mode()&os.ModeDevice != 0 {
		_, _, _ = unix.Syscall(unix.SYS_IOCTL, d.Fd(), unix.BLKRRPART, 0)
	}
	return d.File.Close()
}

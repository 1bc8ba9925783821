package firstboot

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/prompt64/prompt64/appliance/gpt"
)

// Machine is this machine.
type Machine struct {
	// Alive is called again and again while Format gets on. May be nil.
	Alive func()
}

var (
	_ System = Machine{}
	_ Clock  = Machine{}
)

// Now is the time of day.
func (Machine) Now() time.Time { return time.Now().Round(0) }

// Set sets it.
func (Machine) Set(t time.Time) error {
	tv := unix.NsecToTimeval(t.UnixNano())
	return unix.Settimeofday(&tv)
}

const sysfs = "/sys"

// Find follows a folder's device number through sysfs.
func (Machine) Find(mount string) (Place, error) {
	var st, above unix.Stat_t
	if err := errors.Join(unix.Stat(mount, &st), unix.Stat(filepath.Join(mount, ".."), &above)); err != nil {
		return Place{}, err
	}
	if st.Dev == above.Dev {
		return Place{}, fmt.Errorf("nothing is mounted at %s: %w", mount, ErrNoCard)
	}
	dir, err := filepath.EvalSymlinks(fmt.Sprintf("%s/dev/block/%d:%d", sysfs, unix.Major(uint64(st.Dev)), unix.Minor(uint64(st.Dev))))
	if err != nil {
		return Place{}, fmt.Errorf("%s is on no disk: %w", mount, ErrNoCard)
	}
	number, err := readNumber(filepath.Join(dir, "partition"))
	if err != nil {
		return Place{}, fmt.Errorf("%s is on no partition: %w", mount, ErrNoCard)
	}
	sectors, err := readNumber(filepath.Join(filepath.Dir(dir), "size"))
	if err != nil {
		return Place{}, err
	}
	return Place{
		Mount: mount, Disk: "/dev/" + filepath.Base(filepath.Dir(dir)), Device: "/dev/" + filepath.Base(dir),
		Number: int(number), Sectors: sectors,
	}, nil
}

func readNumber(path string) (uint64, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	return strconv.ParseUint(strings.TrimSpace(string(b)), 10, 64)
}

// Open opens the whole disk.
func (Machine) Open(p Place) (Disk, error) { return os.OpenFile(p.Disk, os.O_RDWR, 0) }

// Known reads the kernel's view.
func (Machine) Known(p Place) (uint64, error) {
	return readNumber(filepath.Join(sysfs, "class/block", filepath.Base(p.Device), "size"))
}

// Numbers of linux/blkpg.h and linux/fs.h of ext4.
const (
	blkpg                = 0x1269
	blkpgResizePartition = 3
	ext4ResizeFS         = 0x40086610
)

// Kernel's struct blkpg_partition and struct blkpg_ioctl_arg.
type blkpgPartition struct {
	start, length  int64
	number         int32
	device, volume [64]byte
}

type blkpgArgument struct {
	op, flags, length int32
	data              unsafe.Pointer
}

// Tell asks for BLKPG_RESIZE_PARTITION, which is for partitions in use.
func (m Machine) Tell(p Place, part gpt.Partition) error {
	f, err := os.Open(p.Disk)
	if err != nil {
		return err
	}
	defer f.Close()
	arg := blkpgPartition{start: part.Offset(), length: part.Bytes(), number: int32(p.Number)}
	call := blkpgArgument{op: blkpgResizePartition, length: int32(unsafe.Sizeof(arg)), data: unsafe.Pointer(&arg)}
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, f.Fd(), blkpg, uintptr(unsafe.Pointer(&call)))
	runtime.KeepAlive(&arg)
	if errno != 0 {
		return errno
	}
	return nil
}

// Filesystem reads the superblock, which statfs tells only in part.
func (Machine) Filesystem(p Place) (Filesystem, error) {
	f, err := os.Open(p.Device)
	if err != nil {
		return Filesystem{}, err
	}
	defer f.Close()
	b := make([]byte, 1024)
	if _, err := f.ReadAt(b, 1024); err != nil {
		return Filesystem{}, fmt.Errorf("read superblock: %w", err)
	}
	return superblock(b)
}

// superblock reads ext4's: block count, block size, magic and the high half of the
// count, where there is one (Documentation/filesystems/ext4/super.rst).
func superblock(b []byte) (Filesystem, error) {
	le := binary.LittleEndian
	if le.Uint16(b[0x38:]) != 0xef53 || le.Uint32(b[0x18:]) > 6 {
		return Filesystem{}, fmt.Errorf("the file system is not ext4: %w", ErrNoCard)
	}
	fs := Filesystem{Blocks: uint64(le.Uint32(b[0x4:])), BlockSize: 1024 << le.Uint32(b[0x18:])}
	const wide = 0x80 // incompatible feature "64bit"
	if le.Uint32(b[0x60:])&wide != 0 {
		fs.Blocks |= uint64(le.Uint32(b[0x150:])) << 32
	}
	return fs, nil
}

// Enlarge asks for EXT4_IOC_RESIZE_FS.
func (Machine) Enlarge(p Place, blocks uint64) error {
	d, err := os.Open(p.Mount)
	if err != nil {
		return err
	}
	defer d.Close()
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, d.Fd(), ext4ResizeFS, uintptr(unsafe.Pointer(&blocks))); errno != 0 {
		return errno
	}
	return nil
}

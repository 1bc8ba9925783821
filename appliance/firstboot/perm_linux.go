package firstboot

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/prompt64/prompt64/appliance/bootpart"
	"github.com/prompt64/prompt64/appliance/guardlog"
)

var _ Storage = Machine{}

// permNumber is the partition's in gokrazy's layout of a card.
const permNumber = 4

// Bounds of what takes long on a bad card. The guard waits for formatting, since Alive
// tells it, and the device has some minutes of that for starting before and after.
const (
	formatTime = guardlog.WorkTime - 5*time.Minute
	spoilTime  = 20 * time.Second
)

// Card goes by the root file system: only a card of ours has a squashfs there, with a
// fourth partition beside it.
func (Machine) Card(mount string) (Place, error) {
	var st unix.Statfs_t
	if err := unix.Statfs("/", &st); err != nil {
		return Place{}, fmt.Errorf("find %s: %w", mount, err)
	}
	if st.Type != unix.SQUASHFS_MAGIC {
		return Place{}, fmt.Errorf("the system does not run from a card of ours: %w", ErrNoCard)
	}
	device, err := bootpart.Device(permNumber)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: %w", ErrNoCard, err)
	}
	return Place{Mount: mount, Device: device, Number: permNumber}, err
}

// Condition asks the kernel, which counts a file system's errors in its superblock:
// the number survives a start (Documentation/ABI/testing/sysfs-fs-ext4).
func (Machine) Condition(p Place) (Condition, error) {
	var st, above unix.Stat_t
	var room unix.Statfs_t
	if err := errors.Join(unix.Stat(filepath.Join(p.Mount, ".."), &above), unix.Stat(p.Mount, &st), unix.Statfs(p.Mount, &room)); err != nil {
		return Condition{}, err
	}
	if st.Dev == above.Dev {
		return Condition{}, nil
	}
	c := Condition{Mounted: true, ReadOnly: room.Flags&unix.ST_RDONLY != 0}
	text, err := os.ReadFile(filepath.Join(sysfs, "fs/ext4", filepath.Base(p.Device), "errors_count"))
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil // another file system does not count
	}
	if err == nil {
		c.Errors, err = strconv.Atoi(strings.TrimSpace(string(text)))
	}
	return c, err
}

// Spoil has the kernel stop writing, as it does in an emergency, and then overwrites
// the superblock on the card itself. Who has files open there keeps nothing from that.
func (Machine) Spoil(p Place) error {
	if err := os.WriteFile("/proc/sysrq-trigger", []byte("u"), 0); err != nil {
		return fmt.Errorf("end the use of %s: %w", p.Mount, err)
	}
	for end := time.Now().Add(spoilTime); ; time.Sleep(100 * time.Millisecond) {
		var st unix.Statfs_t
		if err := unix.Statfs(p.Mount, &st); err == nil && st.Flags&unix.ST_RDONLY != 0 {
			break
		}
		if time.Now().After(end) {
			return fmt.Errorf("end the use of %s: the system still writes to it", p.Mount)
		}
	}
	return overwriteStart(p.Device)
}

// overwriteStart writes zeros over the first block of a device, which holds the
// superblock, and reads them back from the device itself.
func overwriteStart(device string) error {
	f, err := os.OpenFile(device, os.O_RDWR|unix.O_DIRECT|unix.O_SYNC, 0)
	if err != nil {
		return fmt.Errorf("overwrite %s: %w", device, err)
	}
	defer f.Close()
	block := aligned(PermBlock)
	if _, err := f.WriteAt(block, 0); err != nil {
		return fmt.Errorf("overwrite %s: %w", device, err)
	}
	block[0] = 1 // so that a read that does nothing is noticed
	if _, err := f.ReadAt(block, 0); err != nil {
		return fmt.Errorf("overwrite %s: %w", device, err)
	}
	if !bytes.Equal(block, make([]byte, PermBlock)) {
		return fmt.Errorf("overwrite %s: the card does not keep what is written, use another one", device)
	}
	return nil
}

// aligned is memory as O_DIRECT wants it, which no file system asks to be at more
// than a page.
func aligned(size int) []byte {
	b := make([]byte, size+PermBlock)
	at := PermBlock - int(uintptr(unsafe.Pointer(&b[0]))%PermBlock)
	return b[at : at+size : at+size]
}

// Restart tells init, which knows no other reason for this signal.
func (Machine) Restart() error {
	unix.Sync()
	return unix.Kill(1, unix.SIGTERM)
}

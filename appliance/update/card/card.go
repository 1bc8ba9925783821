package card

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/google/renameio/v2"

	"github.com/prompt64/prompt64/appliance/update"
)

// Boot is the boot partition, such as a bootpart.Partition.
type Boot interface {
	// With calls do with the folder that the partition is mounted on meanwhile.
	With(write bool, do func(dir string) error) error
}

// Card is the device. Its methods are safe for concurrent use.
type Card struct {
	boot     Boot
	dir      string
	clockSet func() bool
	places   places

	mu     sync.Mutex
	kernel string // the digest of the kernel, which does not change while it runs
}

// places are folders that a test puts elsewhere.
type places struct {
	root, sys, proc, dev string
	numbers              func() (major, minor uint32, err error) // of the root file system
	reboot               func() error
}

var _ update.System = (*Card)(nil)

// Names in the folder.
const (
	recordName = "record.json"
	spoolName  = "incoming.p64u"
	// OwnKeys is a folder with public keys that the owner adds.
	OwnKeys = "keys"
)

// Open returns the card that the system runs from. The record and the bundle that is
// being installed are kept in dir, which is made where it is missing; clockSet tells
// whether the wall clock is to be believed.
func Open(boot Boot, dir string, clockSet func() bool) *Card {
	return &Card{boot: boot, dir: dir, clockSet: clockSet, places: here()}
}

// Device implements update.System.
func (c *Card) Device() (update.Device, error) {
	about, err := ReadAbout(c.places.root)
	if err != nil {
		return update.Device{}, err
	}
	guard, err := digestOf(filepath.Join(c.places.root, GuardFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return update.Device{}, err
	}
	kernel, err := c.kernelDigest()
	if err != nil {
		return update.Device{}, err
	}
	release, err := os.ReadFile(filepath.Join(c.places.proc, "sys/kernel/osrelease"))
	return update.Device{
		Board: about.Board, Arch: runtime.GOARCH, Version: about.Version, Minimum: about.Minimum,
		Kernel: kernel, Release: strings.TrimSpace(string(release)), Guard: guard,
	}, err
}

func (c *Card) kernelDigest() (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kernel != "" {
		return c.kernel, nil
	}
	err := c.boot.With(false, func(dir string) (err error) {
		c.kernel, err = digestOf(filepath.Join(dir, "vmlinuz"))
		return err
	})
	return c.kernel, err
}

func digestOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// BootID implements update.System.
func (c *Card) BootID() (string, error) {
	id, err := os.ReadFile(filepath.Join(c.places.proc, "sys/kernel/random/boot_id"))
	return strings.TrimSpace(string(id)), err
}

func (c *Card) disk() (disk, error) {
	major, minor, err := c.places.numbers()
	if err != nil {
		return disk{}, err
	}
	return findDisk(c.places.sys, c.places.dev, major, minor)
}

// Running implements update.System.
func (c *Card) Running() (update.Slot, error) {
	d, err := c.disk()
	return d.running, err
}

// Booted implements update.System.
func (c *Card) Booted() (update.Slot, error) {
	line, err := os.ReadFile(filepath.Join(c.places.proc, "cmdline"))
	if err != nil {
		return 0, err
	}
	return rootOf(string(line))
}

// ClockSet implements update.System.
func (c *Card) ClockSet() bool { return c.clockSet() }

// Network implements update.System.
func (c *Card) Network() ([]string, error) {
	all, err := net.Interfaces()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, i := range all {
		if i.Flags&net.FlagLoopback == 0 && hasAddress(i) {
			names = append(names, i.Name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// hasAddress tells whether an interface has an address that it did not give itself.
func hasAddress(i net.Interface) bool {
	addrs, err := i.Addrs()
	return err == nil && slices.ContainsFunc(addrs, func(a net.Addr) bool {
		n, ok := a.(*net.IPNet)
		return ok && n.IP.IsGlobalUnicast()
	})
}

// LoadRecord implements update.System.
func (c *Card) LoadRecord() ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(c.dir, recordName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// SaveRecord implements update.System.
func (c *Card) SaveRecord(data []byte) error {
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return err
	}
	if err := renameio.WriteFile(filepath.Join(c.dir, recordName), data, 0o600); err != nil {
		return err
	}
	return syncFolder(c.dir)
}

func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// BootFiles implements update.System.
func (c *Card) BootFiles() (files []update.BootFile, err error) {
	err = c.boot.With(false, func(dir string) error {
		for _, name := range bootFiles {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				return err
			}
			f, err := parseBootFile(name, string(text))
			if err != nil {
				return err
			}
			files = append(files, f)
		}
		return nil
	})
	return files, err
}

// WriteBootFile implements update.System.
func (c *Card) WriteBootFile(name string, root update.Slot, try bool) error {
	if !slices.Contains(bootFiles, name) {
		return fmt.Errorf("%s is no boot file", name)
	}
	return c.boot.With(true, func(dir string) error { return rewrite(filepath.Join(dir, name), root, try) })
}

// Reboot implements update.System.
func (c *Card) Reboot(string) error { return c.places.reboot() }

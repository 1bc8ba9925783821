package bootpart

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/prompt64/prompt64/appliance/config"
)

// system is what this package does to the machine.
type system interface {
	// find names the boot partition's device.
	find() (device string, err error)
	// mount mounts a device on a folder, read-only unless write is set.
	mount(device, dir string, write bool) error
	// unmount ends that.
	unmount(dir string) error
}

// Partition is the boot partition. Its methods are safe for concurrent use.
type Partition struct {
	system system
	temp   string // where folders to mount on are made

	mu sync.Mutex // one mount at a time
}

var _ config.Boot = (*Partition)(nil)

// ReadFile implements config.Boot.
func (p *Partition) ReadFile(name string) (data []byte, err error) {
	err = p.With(false, func(dir string) error {
		data, err = config.BootFolder(dir).ReadFile(name)
		return err
	})
	return data, err
}

// WriteFile implements config.Boot.
func (p *Partition) WriteFile(name string, data []byte) error {
	return p.With(true, func(dir string) error { return config.BootFolder(dir).WriteFile(name, data) })
}

// Erase implements config.Boot.
func (p *Partition) Erase(name string) error {
	return p.With(true, func(dir string) error { return config.BootFolder(dir).Erase(name) })
}

// With calls do with the folder that the partition is mounted on meanwhile.
func (p *Partition) With(write bool, do func(dir string) error) (err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	device, err := p.system.find()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(p.temp, "prompt64-boot-")
	if err != nil {
		return fmt.Errorf("mount the boot partition: %w", err)
	}
	// Never RemoveAll: where unmounting failed, that would empty the partition.
	defer func() { _ = os.Remove(dir) }()
	if err := p.system.mount(device, dir, write); err != nil {
		return fmt.Errorf("mount the boot partition %s: %w", device, err)
	}
	defer func() {
		if e := p.system.unmount(dir); e != nil {
			err = errors.Join(err, fmt.Errorf("unmount the boot partition: %w", e))
		}
	}()
	return do(dir)
}

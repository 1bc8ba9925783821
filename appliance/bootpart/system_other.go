//go:build !linux

package bootpart

import (
	"errors"
	"os"
)

// Open returns a boot partition that cannot be reached: devices run Linux.
func Open() *Partition { return &Partition{system: none{}, temp: os.TempDir()} }

var errNone = errors.New("find the boot partition: only a device with Linux has one")

type none struct{}

func (none) find() (string, error)            { return "", errNone }
func (none) mount(string, string, bool) error { return errNone }
func (none) unmount(string) error             { return errNone }

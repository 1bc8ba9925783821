//go:build !linux && !darwin

package flash

import (
	"errors"
	"os"
)

func inspectDevice(string) (Disk, error) {
	return Disk{}, errors.New("disks can be written on Linux and macOS only: use Raspberry Pi Imager here")
}

type disk struct {
	*os.File
	size int64
}

func openDevice(d Disk) (Device, error) {
	f, err := os.OpenFile(d.Path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	return &disk{f, d.Size}, nil
}

func (d *disk) Size() int64   { return d.size }
func (d *disk) Forget() error { return nil }

package flash

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Inspect says what is at a path: a disk, or a plain file. Nothing is a file that
// will be made, unless it is where only disks are.
func Inspect(path string) (Disk, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist) && filepath.Dir(filepath.Clean(path)) == "/dev":
		return Disk{}, fmt.Errorf("there is no %s: is the card in its reader?", path)
	case errors.Is(err, os.ErrNotExist):
		return Disk{Path: path, Name: filepath.Base(path), File: true, New: true}, nil
	case err != nil:
		return Disk{}, err
	case info.Mode().IsRegular():
		return Disk{Path: path, Name: filepath.Base(path), File: true, Size: info.Size()}, nil
	case info.Mode()&os.ModeDevice != 0:
		return inspectDevice(path)
	}
	return Disk{}, fmt.Errorf("%s is neither a disk nor a file", path)
}

// Open opens a disk for [Flasher].
func Open(d Disk) (Device, error) {
	dev, err := openDevice(d)
	if err != nil {
		return nil, fmt.Errorf("open %s: %s (%w)", d.Path, why(err), err)
	}
	return dev, nil
}

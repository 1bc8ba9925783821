package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Boot is the boot partition as far as settings need it. A missing file is
// fs.ErrNotExist. Each call may mount and unmount.
type Boot interface {
	// ReadFile reads a small file.
	ReadFile(name string) ([]byte, error)
	// WriteFile makes or replaces a file.
	WriteFile(name string, data []byte) error
	// Erase overwrites a file, which may hold passwords, and removes it, both
	// durably.
	Erase(name string) error
}

// Names on the boot partition. Windows hides endings and then adds its own.
const (
	dropFile  = "prompt64.json"
	resetFile = "prompt64-reset"
	noteFile  = "prompt64-error.txt"
	hiddenExt = ".txt"
)

// BootFolder is a boot partition that is mounted as a folder.
type BootFolder string

var _ Boot = BootFolder("")

func (b BootFolder) at(name string) string { return filepath.Join(string(b), name) }

// ReadFile reads a file of at most 256 KiB.
func (b BootFolder) ReadFile(name string) ([]byte, error) { return readFile(b.at(name)) }

// WriteFile writes in place, as FAT has no better way.
func (b BootFolder) WriteFile(name string, data []byte) error {
	f, err := os.OpenFile(b.at(name), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, filePerm)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close(), syncFolder(string(b)))
}

// Erase writes zeros over the file where it lies, and then removes it. Flash
// keeps copies of its own: this hides the text from readers of the file system.
func (b BootFolder) Erase(name string) error {
	if err := overwrite(b.at(name)); err != nil {
		return err
	}
	if err := os.Remove(b.at(name)); err != nil {
		return err
	}
	return syncFolder(string(b))
}

func overwrite(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0) // no truncation: that would move on to other clusters
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil {
		_, err = f.WriteAt(make([]byte, info.Size()), 0)
	}
	return errors.Join(err, f.Sync(), f.Close())
}

// findFile reads the first of a name's spellings that is there.
func findFile(b Boot, name string) (data []byte, found string, err error) {
	for _, found := range []string{name, name + hiddenExt} {
		data, err := b.ReadFile(found)
		if !errors.Is(err, fs.ErrNotExist) {
			return data, found, err
		}
	}
	return nil, "", fs.ErrNotExist
}

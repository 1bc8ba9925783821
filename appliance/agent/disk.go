package agent

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// disk is every change that an installation makes, so that a test can stop the
// world after each of them.
type disk interface {
	// MakeDir makes a folder and those above it, for others
	// to start programs from.
	MakeDir(path string) error
	// WriteFile makes a file that is not there. It lasts once it is synced.
	WriteFile(path string, executable bool, r io.Reader) error
	// Sync returns when a file's bytes or a folder's entries are on the disk.
	Sync(path string) error
	// Rename moves a file or folder to a name that is free.
	Rename(from, to string) error
	// Link points a link elsewhere, in one step.
	Link(target, path string) error
	// RemoveAll deletes a folder with everything in it.
	RemoveAll(path string) error
}

// realDisk is the disk of the machine.
type realDisk struct{}

var _ disk = realDisk{}

func (realDisk) MakeDir(path string) error { return os.MkdirAll(path, 0o755) }

func (realDisk) WriteFile(path string, executable bool, r io.Reader) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if executable {
		mode = 0o755
	}
	_, err = io.CopyBuffer(struct{ io.Writer }{f}, r, make([]byte, 256<<10))
	if err == nil {
		err = f.Chmod(mode) // whatever the umask
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if errors.Is(err, syscall.ENOSPC) {
		err = fmt.Errorf("the disk is full: free some space and try again: %w", err)
	}
	return err
}

func (realDisk) Sync(path string) error {
	f, err := os.Open(path) // for reading: Linux syncs no folder that is open otherwise
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

func (realDisk) Rename(from, to string) error { return os.Rename(from, to) }

func (realDisk) Link(target, path string) error {
	fresh := filepath.Join(filepath.Dir(path), ".new-"+filepath.Base(path))
	if err := os.Remove(fresh); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Symlink(target, fresh); err != nil {
		return err
	}
	return os.Rename(fresh, path)
}

func (realDisk) RemoveAll(path string) error { return os.RemoveAll(path) }

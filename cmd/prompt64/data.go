package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// dataFolder is the folder that state lives in, held by this process alone.
type dataFolder struct {
	path  string
	lock  *os.File // nil: a device whose folder cannot be held
	spare string   // what stands in for a folder that cannot be used; empty: none
}

// openData makes the data folder where it is missing and takes hold of it: two
// bridges on one folder would overwrite each other's sessions.
func openData(path string) (*dataFolder, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open data folder: %w", err)
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, fmt.Errorf("open data folder: %w", err)
	}
	lock, err := os.OpenFile(filepath.Join(path, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open data folder: %w", err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = lock.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("open data folder: another bridge uses %s; end it first", path)
		}
		return nil, fmt.Errorf("open data folder: lock %s: %w", path, err)
	}
	return &dataFolder{path: path, lock: lock}, nil
}

// openDeviceData is openData for a device, which must start whatever its card
// does. trouble says in words what is wrong, nil if nothing is.
func openDeviceData(path string) (d *dataFolder, trouble error) {
	d, err := openData(path)
	if err != nil {
		d = &dataFolder{path: path}
	} else {
		err = writable(d.path)
	}
	if err != nil {
		return d, fmt.Errorf("%s (the data folder %s cannot be written)", diskWords(err), path)
	}
	return d, nil
}

// writable finds out whether a folder takes a file with something in it.
func writable(path string) error {
	f, err := os.CreateTemp(path, ".probe-")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, 4096))
	return errors.Join(err, f.Sync(), f.Close(), os.Remove(f.Name()))
}

// diskWords says in words what is wrong with a disk, and what to do.
func diskWords(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "the disk is full; remove a workspace that you no longer need, then restart"
	case errors.Is(err, syscall.EROFS):
		return "the disk is read-only; restart, and write the card anew if that does not help"
	case errors.Is(err, syscall.EIO):
		return "the disk fails; the card may be worn out, use another one"
	case errors.Is(err, syscall.ENOTDIR):
		return "a file is in the place of a folder; move it away, then restart"
	case errors.Is(err, fs.ErrPermission):
		return "that is not permitted"
	}
	return err.Error()
}

// standIn returns a folder in memory, or wherever temporary files are, for what
// must have one while the data folder is of no use. It is empty at each start.
func (d *dataFolder) standIn() (string, error) {
	if d.spare == "" {
		dir, err := os.MkdirTemp("", "prompt64-spare-")
		if err != nil {
			return "", fmt.Errorf("make a folder that stands in for %s: %w", d.path, err)
		}
		d.spare = dir
	}
	return d.spare, nil
}

// close lets go of the folder. The lock file stays: removing it would let two
// processes hold two files of the same name.
func (d *dataFolder) close() error {
	var err error
	if d.spare != "" {
		err = os.RemoveAll(d.spare)
	}
	if d.lock != nil {
		err = errors.Join(err, d.lock.Close())
	}
	return err
}

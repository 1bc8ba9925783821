package config

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// files is every side effect on the data folder, in one place, so that a test
// can stop the world after each of them. Names have no folder in them.
type files interface {
	// Make makes the folder where it is missing.
	Make() error
	// List names what is in the folder.
	List() ([]string, error)
	// Read reads a file that is not too large to be one of ours.
	Read(name string) ([]byte, error)
	// Write writes data to a new file that is not called name yet.
	Write(name string, data []byte) (pending, error)
	// Keep gives the content of a file a second name, in one step.
	Keep(name, as string) error
	// Remove removes a file; a missing one is no error.
	Remove(name string) error
	// Dir opens the folder, to sync it later.
	Dir() (dir, error)
}

// pending is a file on its way.
type pending interface {
	// Sync brings the content to the disk.
	Sync() error
	// Replace gives the file its name, in one step.
	Replace() error
	// Discard removes what did not get its name.
	Discard()
}

// dir is an open folder.
type dir interface {
	// Sync brings the names to the disk.
	Sync() error
	Close() error
}

// Names in the data folder.
const (
	configName   = "config.json"
	lastGoodName = configName + ".last-good"
	damagedName  = configName + ".damaged" // what a save found and could not read
	resetName    = configName + ".reset"   // a reset was done, its file may still be there
	probeName    = configName + ".probe"
)

// inWords says why a file system refuses, for people.
func inWords(err error) string {
	for _, c := range []struct {
		is    error
		words string
	}{
		{fs.ErrNotExist, "it is missing"},
		{syscall.ENOSPC, "the disk is full"},
		{syscall.EDQUOT, "the disk is full"},
		{syscall.EROFS, "the disk is read-only"},
		{syscall.EIO, "the disk fails (input/output error)"},
		{fs.ErrPermission, "it is not permitted"},
	} {
		if errors.Is(err, c.is) {
			return c.words
		}
	}
	if p := (*os.PathError)(nil); errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

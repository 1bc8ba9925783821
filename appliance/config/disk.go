package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// maxFile bounds what is read: nobody's settings are longer.
const maxFile = 256 * 1024

// filePerm keeps the settings from other users of the machine.
const filePerm = 0o600

// disk is the data folder.
type disk struct{ path string }

var _ files = disk{}

func (d disk) at(name string) string { return filepath.Join(d.path, name) }

func (d disk) Make() error { return os.MkdirAll(d.path, 0o700) }

func (d disk) List() ([]string, error) {
	entries, err := os.ReadDir(d.path)
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names, err
}

func (d disk) Read(name string) ([]byte, error) { return readFile(d.at(name)) }

// readFile reads a regular file of bounded size: to open a pipe would block.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is no file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("it is larger than %d KiB", maxFile/1024)
	}
	return data, err
}

// Write keeps the file in the folder itself: renameio would look for a better
// place by a trial, with two more files each time.
func (d disk) Write(name string, data []byte) (pending, error) {
	if info, err := os.Lstat(d.at(name)); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no plain file: put one in its place", name)
	}
	f, err := renameio.NewPendingFile(d.at(name), renameio.WithTempDir(d.path), renameio.WithStaticPermissions(filePerm))
	if err != nil {
		return nil, err
	}
	if _, err := f.Write(data); err != nil {
		_ = f.Cleanup()
		return nil, err
	}
	return &pendingFile{f}, nil
}

type pendingFile struct{ f *renameio.PendingFile }

func (p *pendingFile) Sync() error    { return p.f.Sync() }
func (p *pendingFile) Replace() error { return p.f.CloseAtomicallyReplace() }
func (p *pendingFile) Discard()       { _ = p.f.Cleanup() } // nothing to do after Replace

// Keep links, which needs no room on the disk. Where there are no links (FAT,
// some network drives) it copies.
func (d disk) Keep(name, as string) error {
	temp := d.at("." + as + ".link")
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if os.Link(d.at(name), temp) != nil {
		return d.copy(name, as)
	}
	if err := os.Rename(temp, d.at(as)); err != nil {
		_ = os.Remove(temp)
		return err
	}
	// Two names of one file are left alone by rename(2): both stay.
	if err := os.Remove(temp); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (d disk) copy(name, as string) error {
	data, err := d.Read(name)
	if err != nil {
		return err
	}
	return renameio.WriteFile(d.at(as), data, filePerm, renameio.WithTempDir(d.path))
}

func (d disk) Remove(name string) error {
	if err := os.Remove(d.at(name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (d disk) Dir() (dir, error) {
	f, err := os.Open(d.path)
	if err != nil {
		return nil, err // no typed nil
	}
	return f, nil
}

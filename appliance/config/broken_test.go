package config

import (
	"strings"
	"syscall"
	"testing"
)

// brokenDisk fails in all that the maps name.
type brokenDisk struct {
	files
	read, write, list, make error
}

func (d brokenDisk) Make() error {
	if d.make != nil {
		return d.make
	}
	return d.files.Make()
}

func (d brokenDisk) List() ([]string, error) {
	if d.list != nil {
		return nil, d.list
	}
	return d.files.List()
}

func (d brokenDisk) Read(name string) ([]byte, error) {
	if d.read != nil {
		return nil, d.read
	}
	return d.files.Read(name)
}

func (d brokenDisk) Write(name string, data []byte) (pending, error) {
	if d.write != nil {
		return nil, d.write
	}
	return d.files.Write(name, data)
}

func TestSettingsOnADiskThatCannotBeWrittenAreUsedAndTheReasonTold(t *testing.T) {
	for words, errno := range map[string]error{"full": syscall.ENOSPC, "read-only": syscall.EROFS, "fails": syscall.EIO} {
		dir := populated(t)
		s := Open(Options{Dir: dir, files: brokenDisk{files: disk{dir}, write: errno}})
		if st := s.State(); st.Source != Loaded || s.Settings().Hostname != "loft" || st.Status() != "see pages" {
			t.Errorf("%s: %+v", words, st)
		}
		says(t, s.State().Problems, "nothing can be saved", words)
		if err := s.Update(change); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: Update: %v", words, err)
		}
		if s.Settings().Hostname != "loft" {
			t.Error("a change that was not saved is in force")
		}
	}
}

// What looks like a new device may be one whose disk is not mounted.
func TestBrokenDiskIsNotTakenForANewDevice(t *testing.T) {
	for name, broken := range map[string]brokenDisk{
		"not made":   {make: syscall.EROFS, write: syscall.EROFS, list: syscall.ENOENT, read: syscall.ENOENT},
		"read-only":  {write: syscall.EROFS},
		"full":       {write: syscall.ENOSPC},
		"unreadable": {read: syscall.EIO},
		"no list":    {list: syscall.EIO},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			broken.files = disk{dir}
			s := Open(Options{Dir: dir, files: broken})
			if st := s.State(); st.Source != Lost || st.Setup || len(st.Problems) == 0 {
				t.Errorf("state %+v", st)
			}
			same(t, "settings", s.Settings(), Default())
			if err := s.Update(setUp); err == nil {
				t.Error("somebody could set it up")
			}
		})
	}
}

func TestMendedDiskClearsTheTrouble(t *testing.T) {
	dir := populated(t)
	s := Open(Options{Dir: dir, files: brokenDisk{files: disk{dir}, write: syscall.ENOSPC}})
	if s.Update(change) == nil {
		t.Fatal("saved on a full disk")
	}
	s.options.files = disk{dir}
	mustUpdate(t, s, change)
	if st := s.State(); len(st.Problems) > 0 || st.Status() != "ok" {
		t.Errorf("state %+v", st)
	}
}

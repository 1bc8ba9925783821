package checks

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/health"
)

func TestDataFolderIsWrittenAndLeftAsItWas(t *testing.T) {
	dir := t.TempDir()
	d := DataFolder(dir)
	d.Free = func(string) (int64, error) { return 3 << 30, nil }
	says(t, check(t, d.Probe()), health.OK, "3221 MB are free", dir)
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	gone := filepath.Join(dir, "gone")
	says(t, check(t, DataFolder(gone).Probe()), health.Fail, "there is no folder "+gone)
}

func TestDataFolderInTroubleIsToldWithWhatToDo(t *testing.T) {
	wrapped := func(err error) error { return &fs.PathError{Op: "open", Path: "/perm/x", Err: err} }
	for _, c := range []struct {
		name  string
		free  int64
		lost  error // of Free
		write error
		state health.State
		words []string
	}{
		{"plenty", 1 << 32, nil, nil, health.OK, nil},
		{"little", 100 << 20, nil, nil, health.Warn, []string{"104 MB", "Delete workspaces"}},
		{"next to nothing", 1 << 20, nil, nil, health.Fail, []string{"1 MB", "Delete workspaces"}},
		{"full", 0, nil, wrapped(syscall.ENOSPC), health.Fail, []string{"is full"}},
		{"read-only", 1 << 32, nil, wrapped(syscall.EROFS), health.Fail, []string{"read-only", "card"}},
		{"forbidden", 1 << 32, nil, wrapped(syscall.EACCES), health.Fail, []string{"may not be written"}},
		{"worn out", 1 << 32, nil, wrapped(syscall.EIO), health.Fail, []string{"worn out"}},
		{"space unknown", 0, errors.New("no statfs"), nil, health.Warn, []string{"no statfs"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Data{
				Dir:   "/perm/prompt64",
				Free:  func(string) (int64, error) { return c.free, c.lost },
				Write: func(string) error { return c.write },
			}
			says(t, check(t, d.Probe()), c.state, c.words...)
		})
	}
}

// What lies beneath the folder is told first: that the folder cannot be written follows
// from it, and would be told in words that do not help.
func TestDamageBeneathTheDataFolderIsToldWithItsRemedy(t *testing.T) {
	damage := "the card is damaged"
	d := Data{
		Dir: "/perm/prompt64", Free: func(string) (int64, error) { return 1 << 32, nil },
		Write: func(string) error { return syscall.EROFS }, Damage: func() string { return damage }, Remedy: "Erase it.",
	}
	says(t, check(t, d.Probe()), health.Fail, "the card is damaged", "Erase it.")
	damage = ""
	says(t, check(t, d.Probe()), health.Fail, "is read-only")
}

func TestSettingsTellTheirState(t *testing.T) {
	for _, c := range []struct {
		name  string
		state config.State
		want  health.State
		words string
	}{
		{"fresh", config.State{Source: config.Fresh, Setup: true}, health.Off, "none yet"},
		{"good", config.State{Source: config.Loaded}, health.OK, "good"},
		{"no password", config.State{Source: config.Loaded, Setup: true}, health.Warn, "no password"},
		{"a problem", config.State{Source: config.Loaded, Problems: []string{"the card is full"}}, health.Warn, "the card is full"},
		{"a file on the card", config.State{Source: config.Loaded, Problems: []string{"not taken over"}, Card: []string{"not taken over"}}, health.Warn, "the card into a computer"},
		{"a problem, and a file on the card", config.State{Source: config.Loaded, Problems: []string{"first", "second"}, Card: []string{"second"}}, health.Warn, "save them again"},
		{"last good", config.State{Source: config.LastGood, Problems: []string{"config.json is no good"}}, health.Warn, "config.json is no good"},
		{"last good, no words", config.State{Source: config.LastGood}, health.Warn, "last good"},
		{"lost", config.State{Source: config.Lost, Boot: true, Problems: []string{"they are gone"}}, health.Fail, "prompt64-reset"},
		{"lost, on a computer", config.State{Source: config.Lost, Problems: []string{"they are gone"}}, health.Fail, "data folder"},
		{"lost, no words", config.State{Source: config.Lost}, health.Fail, "lost"},
	} {
		t.Run(c.name, func(t *testing.T) {
			says(t, check(t, Settings(func() config.State { return c.state })), c.want, c.words)
		})
	}
}

func TestWorkspacesAreCountedOrTheirTroubleTold(t *testing.T) {
	dir := t.TempDir()
	look := func() health.Node { return check(t, Workspace(dir, Folder)) }
	says(t, look(), health.OK, dir, "no folders")
	for i := range 2 {
		if err := os.Mkdir(filepath.Join(dir, fmt.Sprint(i)), 0o700); err != nil {
			t.Fatal(err)
		}
		says(t, look(), health.OK, []string{"1 folder", "2 folders"}[i])
	}
	says(t, check(t, Workspace(filepath.Join(dir, "x"), Folder)), health.Fail, "no folder")
	says(t, check(t, Workspace("/w", func(string) fs.FS { return brokenFS{fs.ErrPermission} })), health.Fail, "may not be read")
	says(t, check(t, Workspace("/w", func(string) fs.FS { return brokenFS{syscall.EIO} })), health.Fail, "cannot be read")
}

// brokenFS fails at everything.
type brokenFS struct{ err error }

func (b brokenFS) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: b.err}
}

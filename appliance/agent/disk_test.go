package agent

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestFileIsMadeAnewWithItsModeWhateverTheUmask(t *testing.T) {
	old := syscall.Umask(0o077)
	defer syscall.Umask(old)
	d, dir := realDisk{}, t.TempDir()
	for name, mode := range map[string]fs.FileMode{"tool": 0o755, "notes": 0o644} {
		path := filepath.Join(dir, name)
		if err := d.WriteFile(path, name == "tool", strings.NewReader("x")); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode() != mode {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
		if err := d.WriteFile(path, false, strings.NewReader("other")); err == nil {
			t.Errorf("%s was overwritten", name)
		}
		if err := d.Sync(path); err != nil {
			t.Error(err)
		}
	}
}

func TestFileIsNotWrittenThroughALink(t *testing.T) {
	dir := t.TempDir()
	victim := filepath.Join(dir, "victim")
	link := filepath.Join(dir, "link")
	if err := os.Symlink(victim, link); err != nil {
		t.Fatal(err)
	}
	if err := (realDisk{}).WriteFile(link, false, strings.NewReader("x")); err == nil {
		t.Error("written")
	}
	if _, err := os.Stat(victim); err == nil {
		t.Error("the link was followed")
	}
}

func TestLinkIsReplacedAlsoAfterAKillWithinIt(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "current")
	if err := os.Symlink("left over", filepath.Join(dir, ".new-current")); err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{"one", "two", "two"} {
		if err := (realDisk{}).Link(target, link); err != nil {
			t.Fatal(err)
		}
		if got, err := os.Readlink(link); err != nil || got != target {
			t.Errorf("points to %q, %v", got, err)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left %v", entries)
	}
	if err := (realDisk{}).RemoveAll(link); err != nil {
		t.Error(err)
	}
}

package privsep

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func owner(t *testing.T, path string) int {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return int(info.Sys().(*syscall.Stat_t).Uid)
}

func TestTreeIsGivenToTheUserAndNothingBeyondIt(t *testing.T) {
	u, dir := open(t, Options{})
	outside := filepath.Join(dir, "outside")
	secret(t, outside)
	tree := filepath.Join(dir, "tree")
	if err := os.MkdirAll(filepath.Join(tree, "a", "b"), 0o700); err != nil {
		t.Fatal(err)
	}
	secret(t, filepath.Join(tree, "a", "b", "file"))
	if err := os.Symlink(outside, filepath.Join(tree, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(outside, filepath.Join(tree, "hard")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(tree, "fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := u.Own(tree); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "a", "a/b", "a/b/file", "link", "fifo"} {
		if got := owner(t, filepath.Join(tree, name)); got != nobody {
			t.Errorf("%q belongs to %d", name, got)
		}
	}
	if got := owner(t, outside); got != 0 {
		t.Errorf("what links lead to belongs to %d", got)
	}
}

// The folder itself is last, so that a power cut leaves one that is done again.
func TestTreeThatIsTheUsersIsLeftAlone(t *testing.T) {
	u, dir := open(t, Options{})
	tree := filepath.Join(dir, "tree")
	if err := os.Mkdir(tree, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := u.Own(tree); err != nil {
		t.Fatal(err)
	}
	roots := filepath.Join(tree, "of root")
	secret(t, roots)
	if err := u.Own(tree); err != nil || owner(t, roots) != 0 {
		t.Errorf("%v, of %d", err, owner(t, roots))
	}
	if err := u.Own(filepath.Join(dir, "missing")); err == nil {
		t.Error("a folder that is not there was given away")
	}
}

package folders_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/folders"
	"github.com/prompt64/prompt64/appliance/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

func open(t *testing.T, dir string, o folders.Options) *folders.Keeper {
	t.Helper()
	k, err := folders.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { k.Close() })
	return k
}

func names(t *testing.T, k *folders.Keeper) string {
	t.Helper()
	list, err := k.List()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range list {
		out = append(out, f.Name)
	}
	return strings.Join(out, ",")
}

func TestWorkspaceIsMadeOnceAndDeletedWhole(t *testing.T) {
	dir := t.TempDir()
	k := open(t, dir, folders.Options{})
	for _, name := range []string{"game", "Über 2", "a.b"} {
		if err := k.Make(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := k.Make("game"); !errors.Is(err, folders.ErrTaken) {
		t.Errorf("twice: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := k.Make("file"); !errors.Is(err, folders.ErrTaken) {
		t.Errorf("over a file: %v", err)
	}
	if got := names(t, k); got != "a.b,game,Über 2" {
		t.Errorf("list %s", got)
	}
	if err := os.MkdirAll(filepath.Join(dir, "game/.git/x/y"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := k.Delete("game"); err != nil {
		t.Error(err)
	}
	if err := k.Delete("game"); !errors.Is(err, folders.ErrMissing) {
		t.Errorf("again: %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 3 {
		t.Errorf("left: %v", left)
	}
}

// badNames are what could be a path, a hidden thing, or another's name.
var badNames = []string{
	"", ".", "..", "../x", "x/../..", "/etc", "a/b", `a\b`, `..\x`, ".git", ".hidden", "-rf", "--upload-pack=x", " x", "x ", "x.",
	"a\x00b", "a\nb", "a\r\nSet-Cookie: x", "a\tb", "con:", "a*b", "a?b", "\xff", "x\u202e", strings.Repeat("x", 61), "..%2fx", "~", "$HOME",
}

func TestPathTraversalInNamesIsRefused(t *testing.T) {
	outer := t.TempDir()
	dir := filepath.Join(outer, "root")
	if err := os.MkdirAll(filepath.Join(outer, "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	k := open(t, dir, folders.Options{})
	for _, name := range badNames {
		if err := k.Make(name); !errors.Is(err, folders.ErrName) {
			t.Errorf("make %q: %v", name, err)
		}
		if err := k.Clone(t.Context(), folders.Source{URL: "https://127.0.0.1:1/x"}, name, nil); !errors.Is(err, folders.ErrName) {
			t.Errorf("clone %q: %v", name, err)
		}
		if err := k.Delete(name); err == nil {
			t.Errorf("delete %q was taken", name)
		}
	}
	for place, want := range map[string]int{outer: 2, dir: 0} {
		if left, _ := os.ReadDir(place); len(left) != want {
			t.Errorf("%s: %v", place, left)
		}
	}
}

func TestSymlinkIsNeitherFollowedNorDeletedThrough(t *testing.T) {
	outer := t.TempDir()
	dir := filepath.Join(outer, "root")
	secret := filepath.Join(outer, "secret")
	for _, d := range []string{dir, secret, filepath.Join(dir, "game")} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(secret, "key"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"link": secret, "game/link": secret, "rel": "../secret", "self": "."} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	k := open(t, dir, folders.Options{})
	if got := names(t, k); got != "game" {
		t.Errorf("list %s", got)
	}
	for _, name := range []string{"link", "rel", "self"} {
		if err := k.Delete(name); !errors.Is(err, folders.ErrMissing) {
			t.Errorf("delete %s: %v", name, err)
		}
		if err := k.Make(name); !errors.Is(err, folders.ErrTaken) {
			t.Errorf("make %s: %v", name, err)
		}
	}
	if err := k.Delete("game"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(secret, "key")); err != nil {
		t.Errorf("the folder behind the link: %v", err)
	}
}

func TestWorkspaceInUseStays(t *testing.T) {
	k := open(t, t.TempDir(), folders.Options{InUse: func(name string) bool { return name == "busy" }})
	for _, name := range []string{"busy", "idle"} {
		if err := k.Make(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := k.Delete("busy"); !errors.Is(err, folders.ErrInUse) {
		t.Errorf("busy: %v", err)
	}
	if err := k.Delete("idle"); err != nil {
		t.Error(err)
	}
}

func TestHalfMadeFoldersOfAFormerProcessAreSwept(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".prompt64-new-A/tree", ".prompt64-gone-B/x", ".prompt64-other", "mine"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	open(t, dir, folders.Options{})
	left, _ := os.ReadDir(dir)
	if len(left) != 2 || left[0].Name() != ".prompt64-other" || left[1].Name() != "mine" {
		t.Errorf("left: %v", left)
	}
}

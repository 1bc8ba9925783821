package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestStrangeNamesComeThroughWhole(t *testing.T) {
	g := newGround(t)
	names := []string{" lead", "-dash", "a b", "a\"q'", "a\nb", "a\tb", "back\\slash", ":(top)x", "*", "d/\u00fcml\u00e4ut", "\xff\xfe"}
	files := []string{}
	for _, n := range names {
		files = append(files, n, "one\n")
	}
	g.repo("r", files...)
	for _, n := range names {
		g.write("r/"+n, "two\n")
		g.write("r/new"+n, "new\n")
	}
	c := g.changes("r")
	found := map[string]bool{}
	for i, row := range c.Rows {
		found[row.Path] = true
		if row.State == 'M' {
			g.wantDiff(c, i, "#@@ -1 +1 @@", "-one", "+two")
		} else {
			g.wantDiff(c, i, "#new file", "#@@ -0,0 +1 @@", "+new")
		}
	}
	for _, n := range names {
		if !found[n] || !found["new"+n] {
			t.Errorf("%q or the new one beside it is missing", n)
		}
	}
}

func TestEmptyRepositoryComparesWithNothing(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		g := newGround(t)
		g.mkdir("r")
		g.git("r", "init", "-q", "-b", "main", "--object-format="+format)
		g.wantRows(g.changes("r"))
		g.write("r/staged", "a\nb\n")
		g.git("r", "add", "staged")
		g.write("r/new", "a\n")
		c := g.changes("r")
		g.wantRows(c, "? 1 0 new", "A 2 0 staged")
		g.wantDiff(c, 1, "#new file", "#@@ -0,0 +1,2 @@", "+a", "+b")
		if s := g.summary("r"); s.Branch != "main (no commits yet)" {
			t.Fatalf("branch %q", s.Branch)
		}
	}
}

func TestBranchIsSaidInWords(t *testing.T) {
	g := newGround(t)
	g.repo("r", "f", "one\n")
	commit := strings.TrimSpace(g.git("r", "rev-parse", "HEAD"))
	want := func(branch string) {
		t.Helper()
		if s := g.summary("r"); s.Branch != branch {
			t.Fatalf("branch %q, want %q", s.Branch, branch)
		}
	}
	want("main")
	g.git("r", "pack-refs", "--all")
	want("main")
	g.git("r", "checkout", "-q", "-b", "deep/er")
	want("deep/er")
	g.git("r", "symbolic-ref", "refs/heads/alias", "refs/heads/main")
	g.git("r", "symbolic-ref", "HEAD", "refs/heads/alias")
	want("alias")
	g.git("r", "checkout", "-q", "--detach", "main")
	want("detached at " + commit[:7])
	g.remove("r/.git/HEAD")
	g.link("refs/heads/deep/er", "r/.git/HEAD")
	want("deep/er")
	g.remove("r/.git/HEAD")
	g.write("r/.git/HEAD", "nonsense\n")
	if _, err := g.root.Summary(context.Background(), g.folder("r")); !errors.Is(err, ErrDamaged) {
		t.Fatalf("got %v", err)
	}
}

func TestMergeAndRebaseInProgress(t *testing.T) {
	g := newGround(t)
	g.repo("r", "f", "base\n", "gone", "base\n")
	g.git("r", "checkout", "-q", "-b", "other")
	g.write("r/f", "theirs\n")
	g.git("r", "rm", "-q", "gone")
	g.commit("r")
	g.git("r", "checkout", "-q", "main")
	g.write("r/f", "ours\n")
	g.write("r/gone", "changed\n")
	g.commit("r")
	if _, err := g.tryGit("r", "merge", "other"); err == nil {
		t.Fatal("the merge has no conflict")
	}
	c := g.changes("r")
	g.wantRows(c, "U 4 0 f", "U 0 0 gone")
	g.wantDiff(c, 0, "#@@ -1 +1,5 @@", "+<<<<<<< HEAD", " ours", "+=======", "+theirs", "+>>>>>>> other")
	g.wantDiff(c, 1, "#no difference any more")
	if s := g.summary("r"); s.Branch != "main (merging)" {
		t.Fatalf("branch %q", s.Branch)
	}
	g.git("r", "merge", "--abort")
	if _, err := g.tryGit("r", "rebase", "other"); err == nil {
		t.Fatal("the rebase has no conflict")
	}
	if s := g.summary("r"); s.Branch != "main (rebasing)" {
		t.Fatalf("branch %q", s.Branch)
	}
}

func TestSubmodulesShowTheirCommit(t *testing.T) {
	g := newGround(t)
	g.repo("lib", "f", "one\n")
	g.repo("r", "f", "one\n")
	g.git("r", "submodule", "--quiet", "add", g.path("lib"), "sub")
	g.git("r", "submodule", "--quiet", "add", g.path("lib"), "gone")
	g.commit("r")
	g.wantRows(g.changes("r"))
	old := strings.TrimSpace(g.git("r/sub", "rev-parse", "HEAD"))
	g.write("r/sub/f", "two\n")
	g.wantRows(g.changes("r")) // a change inside does not show outside
	c := g.changes("r/sub")    // but inside it does
	g.wantRows(c, "M 1 1 f")
	g.wantDiff(c, 0, "#@@ -1 +1 @@", "-one", "+two")
	g.commit("r/sub")
	now := strings.TrimSpace(g.git("r/sub", "rev-parse", "HEAD"))
	g.remove("r/gone")
	c = g.changes("r")
	g.wantRows(c, "D 0 1 gone", "M 1 1 sub")
	g.wantDiff(c, 1, "#@@ -1 +1 @@", "-Subproject commit "+old, "+Subproject commit "+now)
	g.mkdir("r/gone")
	g.wantRows(g.changes("r"), "M 1 1 sub") // not checked out is not deleted
	g.repo("r/own", "f", "x\n")
	c = g.changes("r")
	g.wantRows(c, "? bin own", "M 1 1 sub")
	g.wantDiff(c, 0, "#a git repository of its own")
}

func TestLinkedWorktreeBeneathTheRootWorks(t *testing.T) {
	g := newGround(t)
	g.repo("r", "f", "one\n")
	g.git("r", "worktree", "add", "-q", "-b", "side", g.path("wt"))
	g.write("wt/f", "two\n")
	c := g.changes("wt")
	g.wantRows(c, "M 1 1 f")
	g.wantDiff(c, 0, "#@@ -1 +1 @@", "-one", "+two")
	if s := g.summary("wt"); s.Branch != "side" {
		t.Fatalf("branch %q", s.Branch)
	}
	g.wantRows(g.changes("r"))
}

func TestAlternatesAndLinksBeneathTheRootWork(t *testing.T) {
	g := newGround(t)
	g.repo("r", "f", "one\n")
	g.git("", "clone", "-q", "--shared", g.path("r"), "shared")
	g.write("shared/f", "two\n")
	g.mkdir("stores")
	g.rename("r/.git/objects", "stores/r")
	g.link(g.dir+"/stores/r", "r/.git/objects")
	g.write("r/f", "two\n")
	for _, dir := range []string{"r", "shared"} {
		c := g.changes(dir)
		g.wantRows(c, "M 1 1 f")
		g.wantDiff(c, 0, "#@@ -1 +1 @@", "-one", "+two")
	}
}

func TestFolderInARepositorySeesAllOfIt(t *testing.T) {
	g := newGround(t)
	g.repo("r", "sub/deep/f", "one\n", "top", "one\n")
	g.write("r/sub/deep/f", "two\n")
	g.write("r/top", "two\n")
	g.link("r/sub", "short")
	for _, dir := range []string{"r", "r/sub/deep", "short/deep"} {
		g.wantRows(g.changes(dir), "M 1 1 sub/deep/f", "M 1 1 top")
	}
}

func TestEveryIndexFormatIsRead(t *testing.T) {
	for name, prepare := range map[string][]string{
		"version 2": {"update-index", "--index-version", "2"},
		"version 4": {"update-index", "--index-version", "4"},
		"split":     {"update-index", "--split-index"},
		"assumed":   {"update-index", "--assume-unchanged", "dir/b"},
		"skipped":   {"update-index", "--skip-worktree", "dir/b"},
		"intent":    {"rm", "-q", "--cached", "dir/b"},
		"cache":     {"update-index", "--force-untracked-cache"},
		"sparse":    {"sparse-checkout", "set", "--cone", "--sparse-index", "dir"},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGround(t)
			g.repo("r", "a", "one\n", "dir/a", "one\n", "dir/aa", "one\n", "dir/b", "one\n", "dir.x", "one\n", "far/away/f", "one\n", "z", "one\n")
			g.git("r", prepare...)
			if name == "intent" {
				g.git("r", "add", "-N", "dir/b")
			}
			g.write("r/dir/a", "two\n")
			g.write("r/z", "two\n")
			g.write("r/new", "n\n")
			g.wantRows(g.changes("r"), "M 1 1 dir/a", "? 1 0 new", "M 1 1 z")
		})
	}
}

func TestFormatsThatAreNotReadAreSaid(t *testing.T) {
	g := newGround(t)
	g.repo("r", "f", "one\n")
	plain := g.read("r/.git/config")
	for config, want := range map[string]error{
		"[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefstorage = reftable\n":      ErrUnsupported,
		"[core]\n\trepositoryformatversion = 1\n[extensions]\n\tunheardof = true\n":           ErrUnsupported,
		"[core]\n\trepositoryformatversion = 2\n":                                             ErrUnsupported,
		"[core]\n\trepositoryformatversion = 0\n[extensions]\n\tunheardof = true\n":           nil,
		"[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n":      nil,
		"[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig\n":             nil,
		"[core]\n\tautocrlf = input\n\teol = CRLF\n\tfilemode\n\tsymlinks = no\n[x]\n\ty=z\n": nil,
		"":  nil,
		"[": errAny,
	} {
		g.write("r/.git/config", config)
		_, err := g.root.Changes(context.Background(), g.folder("r"))
		if (want == errAny && err == nil) || (want != errAny && !errors.Is(err, want)) {
			t.Errorf("%q: %v", config, err)
		}
	}
	g.remove("r/.git/config")
	g.wantRows(g.changes("r"))
	g.write("r/.git/config", plain)
	g.write("r/.git/index", "DIRC\x00\x00\x00\x09"+strings.Repeat("x", 40))
	if _, err := g.root.Changes(context.Background(), g.folder("r")); !errors.Is(err, ErrUnsupported) {
		t.Errorf("index of a later version: %v", err)
	}
	g.write("r/.git/index", "garbage")
	if _, err := g.root.Changes(context.Background(), g.folder("r")); !errors.Is(err, ErrDamaged) {
		t.Errorf("no index: %v", err)
	}
}

func TestReftableIsSaid(t *testing.T) {
	g := newGround(t)
	g.repo("r", "f", "one\n")
	g.write("r/.git/HEAD", "ref: refs/heads/.invalid\n")
	g.mkdir("r/.git/reftable")
	s, err := g.root.Summary(context.Background(), g.folder("r"))
	if !errors.Is(err, ErrUnsupported) || s != (Summary{Repo: true}) {
		t.Fatalf("%+v, %v", s, err)
	}
}

var errAny = errors.New("any error")

func TestMissingObjectsAreSaidAndNeverFetched(t *testing.T) {
	g := newGround(t)
	g.repo("r", "f", "one\n")
	command, file := g.marker()
	g.write("r/.git/config", "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = o\n[remote \"o\"]\n\turl = ext::"+command+"\n\tpromisor = true\n[protocol]\n\tallow = always\n")
	blob := strings.TrimSpace(g.git("r", "rev-parse", "HEAD:f"))
	g.remove("r/.git/objects/" + blob[:2] + "/" + blob[2:])
	g.write("r/f", "two\n")
	_, err := g.root.Changes(context.Background(), g.folder("r"))
	if !errors.Is(err, ErrDamaged) {
		t.Fatalf("got %v", err)
	}
	if s, err := g.root.Summary(context.Background(), g.folder("r")); err == nil || s.Branch != "main" {
		t.Fatalf("summary %+v, %v", s, err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Fatal("something was fetched")
	}
}

func TestRepositoryIsNeverWritten(t *testing.T) {
	g := newGround(t)
	g.repo("r", "f", "one\n", "g", "one\n")
	g.write("r/f", "two\n")
	g.write("r/new", "n\n")
	g.git("r", "update-index", "--split-index")
	look := func() (all string) {
		_ = filepath.Walk(g.path("r"), func(p string, info os.FileInfo, err error) error {
			st := info.Sys().(*syscall.Stat_t)
			all += p + info.ModTime().String() + string(rune(st.Ino))
			return err
		})
		return all
	}
	before := look()
	if _, err := g.everything("r"); err != nil {
		t.Fatal(err)
	}
	if look() != before {
		t.Fatal("something in the repository changed")
	}
}

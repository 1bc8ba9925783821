package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRootMayBeNamedByALink(t *testing.T) {
	g := newGround(t)
	g.mkdir("a/b")
	alias := filepath.Join(filepath.Dir(g.dir), "alias")
	g.link(g.dir, alias)
	g.link(alias+"/a", "by alias")
	g.link(g.dir+"/a", "by real path")
	g.link(alias, "to the root")
	g.link(alias+"x", "beside")
	root, err := OpenRoot(alias)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if root.Dir() != g.dir {
		t.Fatalf("the root is %s", root.Dir())
	}
	for name, want := range map[string]string{"by alias/b": "a/b", "by real path/b": "a/b", "to the root/a": "a"} {
		f, err := root.Resolve(name)
		if err != nil || f.Abs != filepath.Join(g.dir, want) || f.Rel != name {
			t.Errorf("%s: %+v, %v", name, f, err)
		}
	}
	if _, err := root.Resolve("beside"); !errors.Is(err, ErrOutside) {
		t.Errorf("a path that only begins like the root: %v", err)
	}
}

func TestChainsOfLinksHaveAnEnd(t *testing.T) {
	g := newGround(t)
	g.mkdir("0/x")
	for i := range maxLinks + 1 {
		g.link(fmt.Sprint(i), fmt.Sprint(i+1))
	}
	if f, err := g.root.Resolve(fmt.Sprint(maxLinks) + "/x"); err != nil || f.Abs != g.path("0/x") {
		t.Errorf("%d links: %+v, %v", maxLinks, f, err)
	}
	if _, err := g.root.Resolve(fmt.Sprint(maxLinks + 1)); !errors.Is(err, ErrNotFound) {
		t.Errorf("%d links: %v", maxLinks+1, err)
	}
	g.link("pong", "ping")
	g.link("ping", "pong")
	if _, err := g.root.Resolve("ping"); !errors.Is(err, ErrNotFound) {
		t.Errorf("a circle: %v", err)
	}
}

func TestFolderThatWentAwayIsSaid(t *testing.T) {
	g := newGround(t)
	g.repo("r/sub", "f", "one\n")
	f := g.folder("r/sub")
	g.rename("r/sub", "elsewhere")
	for name, ask := range map[string]func() error{
		"summary": func() error { _, err := g.root.Summary(context.Background(), f); return err },
		"changes": func() error { _, err := g.root.Changes(context.Background(), f); return err },
	} {
		if err := ask(); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	g.link(g.outside, "r/sub")
	if _, err := g.root.Summary(context.Background(), f); !errors.Is(err, ErrOutside) {
		t.Errorf("swapped for a link: %v", err)
	}
}

func TestNamesInErrorsAreCutAtTheirHead(t *testing.T) {
	err := named(strings.Repeat("x", 100)+"the end", ErrNotFound)
	if want := "..." + strings.Repeat("x", maxNamed-10) + "the end: no such folder"; err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
	if err := named("", ErrOutside); err != ErrOutside {
		t.Errorf("without a name: %v", err)
	}
}

// storesOf gives the stores of r, relative to the root.
func (g *ground) storesOf(name string) (string, error) {
	list, err := g.root.stores(name)
	return strings.Join(list, " "), err
}

func TestAlternatesAreFollowedWithinBounds(t *testing.T) {
	g := newGround(t)
	for i := range 20 {
		g.mkdir(fmt.Sprintf("o%d/info", i))
	}
	g.write("o0/info/alternates", "# words\n\n../o1\n"+g.dir+"/o2\n../o1\n")
	g.write("o1/info/alternates", "../o0\n../o3")
	if got, err := g.storesOf("o0"); err != nil || got != "o0 o1 o2 o3" {
		t.Errorf("a circle with a branch: %q, %v", got, err)
	}
	for i := range 8 {
		g.write(fmt.Sprintf("o%d/info/alternates", i), fmt.Sprintf("../o%d\n", i+1))
	}
	if _, err := g.storesOf("o0"); !errors.Is(err, ErrUnsupported) {
		t.Errorf("too deep: %v", err)
	}
	var all strings.Builder
	for i := range 19 {
		fmt.Fprintf(&all, "../o%d\n", i+1)
		g.remove(fmt.Sprintf("o%d/info/alternates", i+1))
	}
	g.write("o0/info/alternates", all.String())
	if _, err := g.storesOf("o0"); !errors.Is(err, ErrUnsupported) {
		t.Errorf("too many: %v", err)
	}
	g.write("o0/info/alternates", "../missing\n")
	if _, err := g.storesOf("o0"); !errors.Is(err, ErrDamaged) {
		t.Errorf("missing: %v", err)
	}
}

func TestRepositoryOfAnotherUserIsShown(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give a file away")
	}
	g := newGround(t)
	g.repo("r", "f", "one\n")
	g.write("r/f", "two\n")
	err := filepath.Walk(g.path("r"), func(p string, _ os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(p, 54321, 54321)
	})
	if err != nil {
		t.Fatal(err)
	}
	if out, err := g.tryGit("r", "status"); err == nil {
		t.Logf("git itself takes it: %s", out)
	}
	c := g.changes("r")
	g.wantRows(c, "M 1 1 f")
	g.wantDiff(c, 0, "#@@ -1 +1 @@", "-one", "+two")
}

func TestFoldersBeyondTheDepthAreLeftOut(t *testing.T) {
	g := newGround(t)
	deep := strings.Repeat("d/", maxDepth+10)
	g.repo("r", "f", "one\n", deep+"tracked", "one\n")
	g.write("r/"+deep+"tracked", "two\n")
	g.write("r/"+deep+"new", "n\n")
	g.write("r/new", "n\n")
	g.wantRows(g.changes("r"), "? 1 0 new")
}

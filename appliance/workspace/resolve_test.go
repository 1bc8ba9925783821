package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/prompt64/prompt64/frames/display"
)

func TestResolveStaysBeneathTheRoot(t *testing.T) {
	g := newGround(t)
	g.mkdir("a/b", "hidden/.dot", "r/.git", "r/.GIT")
	g.write("file", "x")
	g.mkdir(g.outside + "/secret")
	g.link(g.outside, "out")
	g.link("../../outside", "a/out")
	g.link("..", "up")
	g.link(g.dir+"/a", "absolute")
	g.link("a/b", "relative")
	g.link("loop", "loop")
	g.link("/etc/../etc", "etc")
	g.link(g.dir+"/../outside", "dotted")
	for _, c := range []struct {
		name, rel, abs string
		err            error
	}{
		{"", "", "", nil},
		{".", "", "", nil},
		{"a/b", "a/b", "a/b", nil},
		{"a//b/", "a/b", "a/b", nil},
		{"a/./b", "a/b", "a/b", nil},
		{"absolute/b", "absolute/b", "a/b", nil},
		{"relative", "relative", "a/b", nil},
		{"hidden/.dot", "hidden/.dot", "hidden/.dot", nil},
		{"..", "", "", ErrOutside},
		{"a/..", "", "", ErrOutside},
		{"a/../..", "", "", ErrOutside},
		{"/", "", "", ErrOutside},
		{"/etc", "", "", ErrOutside},
		{"out", "", "", ErrOutside},
		{"out/secret", "", "", ErrOutside},
		{"a/out", "", "", ErrOutside},
		{"up", "", "", ErrOutside},
		{"etc", "", "", ErrOutside},
		{"dotted/secret", "", "", ErrOutside},
		{"loop", "", "", ErrNotFound},
		{"missing", "", "", ErrNotFound},
		{"a/missing/b", "", "", ErrNotFound},
		{"file", "", "", ErrNotFolder},
		{"file/x", "", "", ErrNotFolder},
		{"r/.git", "", "", ErrNotFound},
		{"r/.GIT", "", "", ErrNotFound},
		{"a\x00b", "", "", ErrNotFound},
		{strings.Repeat("x", 768), "", "", ErrNotFound},
		{strings.Repeat("a/", 384), "", "", ErrNotFound},
	} {
		f, err := g.root.Resolve(c.name)
		if !errors.Is(err, c.err) {
			t.Errorf("%.40q: error %v, want %v", c.name, err, c.err)
			continue
		}
		if err != nil {
			if n := len(display.Line(err.Error(), display.Options{})); n > 92 {
				t.Errorf("%.40q: %d bytes of words: %v", c.name, n, err)
			}
			continue
		}
		if f.Rel != c.rel || f.Abs != filepath.Join(g.dir, c.abs) {
			t.Errorf("%q: %+v", c.name, f)
		}
	}
}

func TestFolderIsFoundByTheNameThatTheListShows(t *testing.T) {
	g := newGround(t)
	long := strings.Repeat("long ", 30)
	for _, name := range []string{"Gr\u00f6\u00dfe", "\u256dbox", "na\xffme", "tab\tline\nname", long, "a\u0301"} {
		g.mkdir(name + "/in")
		for _, palette := range []bool{false, true} {
			shown := ShownName(name, palette)
			if len(shown) > maxShown {
				t.Fatalf("%q is shown in %d bytes", name, len(shown))
			}
			f, err := g.root.Resolve(display.Unshape(shown) + "/in")
			if err != nil || f.Rel != name+"/in" {
				t.Errorf("%q shown as %q: %+v, %v", name, shown, f, err)
			}
		}
	}
}

func TestSeveralMatchesAreRefusedUnlessOneIsExact(t *testing.T) {
	g := newGround(t)
	g.mkdir("caf\u00e9", "caf\u00e8", "x\u00e9", "xe")
	if _, err := g.root.Resolve("cafe"); !errors.Is(err, ErrAmbiguous) {
		t.Fatalf("got %v", err)
	}
	if f, err := g.root.Resolve("xe"); err != nil || f.Rel != "xe" {
		t.Fatalf("%+v, %v", f, err)
	}
}

func TestListHasFoldersOnlyInNaturalOrder(t *testing.T) {
	g := newGround(t)
	g.mkdir("p10", "p9", "P2", "a", "B", ".hidden", ".git", "z/.git", g.outside+"/o")
	g.write("file", "x")
	g.write("worktree/.git", "gitdir: elsewhere\n")
	g.link("a", "link")
	g.link(g.dir+"/z", "zlink")
	g.link(g.outside, "out")
	g.link("nowhere", "dangling")
	list, err := g.root.List("")
	if err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for _, e := range list {
		name := e.Name
		if e.Git {
			name += "*"
		}
		got = append(got, name)
	}
	if want := "a B link P2 p9 p10 worktree* z* zlink*"; strings.Join(got, " ") != want {
		t.Fatalf("got %v, want %v", got, want)
	}
	if list, err = g.root.List("a"); err != nil || len(list) != 0 {
		t.Fatalf("an empty folder: %v, %v", list, err)
	}
	if _, err = g.root.List("out"); !errors.Is(err, ErrOutside) {
		t.Fatalf("outside: %v", err)
	}
}

func TestNaturalOrderIsTotal(t *testing.T) {
	names := []string{"", "0", "00", "1", "01", "a", "A", "a1", "a01", "a1b", "a2", "a10", "b", "\u00e4", "99999999999999999999999"}
	for _, a := range names {
		for _, b := range names {
			c, back := compareNatural(a, b), compareNatural(b, a)
			if c != -back || (c == 0) != (a == b) {
				t.Errorf("%q and %q: %d, %d", a, b, c, back)
			}
			for _, d := range names {
				if c < 0 && compareNatural(b, d) < 0 && compareNatural(a, d) >= 0 {
					t.Errorf("%q < %q < %q, but not the first and the last", a, b, d)
				}
			}
		}
	}
}

func TestLinkSwappedInLaterNeverLeadsOut(t *testing.T) {
	g := newGround(t)
	g.mkdir("a/sub", g.outside+"/sub", g.outside+"/canary")
	var work sync.WaitGroup
	defer work.Wait()
	stop := make(chan struct{})
	defer close(stop)
	work.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			os.Rename(g.path("a"), g.path("b"))
			os.Symlink(g.outside, g.path("a"))
			os.Remove(g.path("a"))
			os.Rename(g.path("b"), g.path("a"))
		}
	})
	for range 2000 {
		if list, err := g.root.List("a"); err == nil {
			for _, e := range list {
				if e.Name == "canary" {
					t.Fatal("the list shows a folder outside the root")
				}
			}
		}
		if f, err := g.root.Resolve("a/canary"); err == nil {
			t.Fatalf("resolved to %+v", f)
		}
	}
}

func TestClosedRootFails(t *testing.T) {
	g := newGround(t)
	g.mkdir("a")
	if err := g.root.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := g.root.Resolve("a"); err == nil {
		t.Fatal("a closed root resolves")
	}
	if _, err := OpenRoot(g.dir + "/missing"); err == nil {
		t.Fatal("a missing folder opens")
	}
}

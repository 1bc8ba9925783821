package workspace

import (
	"context"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestFileThatBecameAnotherKind(t *testing.T) {
	g := newGround(t)
	g.repo("r", "file", "one\n", "dir/f", "one\n", "link", "x", "mode", "one\n")
	g.remove("r/file")
	g.write("r/file/inside", "in\n")
	g.remove("r/dir")
	g.write("r/dir", "now a file\n")
	g.remove("r/link")
	g.link("target", "r/link")
	if err := os.Chmod(g.path("r/mode"), 0o755); err != nil {
		t.Fatal(err)
	}
	c := g.changes("r")
	g.wantRows(c, "? 1 0 dir", "D 0 1 dir/f", "D 0 1 file", "? 1 0 file/inside", "M 1 1 link", "M 0 0 mode")
	g.wantDiff(c, 0, "#new file", "#@@ -0,0 +1 @@", "+now a file")
	g.wantDiff(c, 1, "#deleted file", "#@@ -1 +0,0 @@", "-one")
	g.wantDiff(c, 2, "#deleted file", "#@@ -1 +0,0 @@", "-one")
	g.wantDiff(c, 3, "#new file", "#@@ -0,0 +1 @@", "+in")
	g.wantDiff(c, 4, "#deleted file", "#@@ -1 +0,0 @@", "-x", "#no newline at the end", "#new link", "#@@ -0,0 +1 @@", "+target", "#no newline at the end")
	g.wantDiff(c, 5, "#old mode 100644", "#new mode 100755")
}

func TestPipesSocketsAndDevicesNeverBlock(t *testing.T) {
	g := newGround(t)
	g.repo("r", "tracked", "one\n", "dir/f", "one\n")
	g.remove("r/tracked")
	for _, name := range []string{"r/tracked", "r/new", "r/dir/.gitignore", "r/.gitattributes", "r/.git/info/attributes", "r/.git/objects/info/alternates"} {
		g.remove(name)
		if err := syscall.Mkfifo(g.path(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mknod(g.path("r/socket"), syscall.S_IFSOCK|0o600, 0); err != nil { // any depth of folders, unlike Listen
		t.Fatal(err)
	}
	g.remove("r/.git/objects/info/alternates")
	c := g.changes("r")
	g.wantRows(c, "D 0 1 tracked")
	for _, name := range []string{"HEAD", "config", "index", "packed-refs", "commondir", "objects/info/alternates", "objects/pack/pack-x.idx"} {
		t.Run(name, func(t *testing.T) {
			g := newGround(t)
			g.repo("r", "f", "one\n")
			g.remove("r/.git/" + name)
			if name == "packed-refs" {
				g.remove("r/.git/refs/heads/main")
			}
			if err := syscall.Mkfifo(g.path("r/.git/"+name), 0o644); err != nil {
				t.Fatal(err)
			}
			if out, err := g.everything("r"); err == nil && name != "commondir" {
				t.Fatalf("no error: %s", out)
			}
		})
	}
}

func TestVanishedAndChangedFilesAreSaid(t *testing.T) {
	g := newGround(t)
	g.repo("r", "a", "one\n", "b", "one\n", "c", "one\n")
	g.write("r/a", "two\n")
	g.write("r/b", "two\n")
	g.write("r/c", "two\n")
	g.write("r/new", "n\n")
	c := g.changes("r")
	g.remove("r/a")
	g.write("r/b", "one\n")
	g.remove("r/new")
	g.write("r/c", "three\n")
	g.wantDiff(c, 0, "#the file is gone")
	g.wantDiff(c, 1, "#no difference any more")
	g.wantDiff(c, 2, "#@@ -1 +1 @@", "-one", "+three")
	g.wantDiff(c, 3, "#the file is gone")
	for _, i := range []int{-1, 4} {
		if _, err := c.Diff(context.Background(), i); err != ErrNoRow {
			t.Fatalf("row %d: %v", i, err)
		}
	}
}

func TestContentThatLooksLikeAHeaderIsContent(t *testing.T) {
	g := newGround(t)
	g.repo("r", "f", "-- a\n\\ x\n@@ -1 +1 @@\ndiff --git a b\n")
	g.write("r/f", "++ b\n\\ x\n@@ -2 +2 @@\nBinary files differ\n")
	g.wantDiff(g.changes("r"), 0, "#@@ -1,4 +1,4 @@", "--- a", "+++ b", " \\ x", "-@@ -1 +1 @@", "-diff --git a b", "+@@ -2 +2 @@", "+Binary files differ")
}

func TestSizesAreBounded(t *testing.T) {
	g := newGround(t)
	g.repo("r", "big", "one\n", "long", "one\n", "row", "one\n")
	if err := os.Truncate(g.path("r/big"), maxCopy+1); err != nil {
		t.Fatal(err)
	}
	g.write("r/hole", "")
	if err := os.Truncate(g.path("r/hole"), 1<<40); err != nil {
		t.Skip("no sparse files here")
	}
	g.write("r/long", strings.Repeat("line\n", 100_000))
	g.write("r/row", strings.Repeat("x", 600_000))
	c := g.changes("r")
	g.wantRows(c, "M bin big", "? bin hole", "M 100000 1 long", "M 1 1 row")
	g.wantDiff(c, 0, "#too large to show")
	g.wantDiff(c, 1, "#too large to show")
	for _, i := range []int{2, 3} {
		lines := g.diff(c, i)
		n := 0
		for _, l := range lines {
			n += len(l)
		}
		if last := lines[len(lines)-1]; last != "#cut after 256 KiB" || n > outputCeiling+1024 {
			t.Fatalf("row %d: %d bytes, ends in %q", i, n, last)
		}
	}
}

func TestThousandsOfFilesAreCountedAndCut(t *testing.T) {
	g := newGround(t)
	g.repo("r", "f", "one\n")
	for i := range 5000 {
		g.write(fmt.Sprintf("r/new%d/f%d", i%50, i), "n\n")
	}
	c := g.changes("r")
	if len(c.Rows) != maxUntracked || !c.Cut {
		t.Fatalf("%d rows, cut %v", len(c.Rows), c.Cut)
	}
	g.git("r", "add", "-A")
	c = g.changes("r")
	if len(c.Rows) < 1000 || !c.Cut {
		t.Fatalf("%d rows, cut %v", len(c.Rows), c.Cut)
	}
	if s := g.summary("r"); !s.Cut || s.Files != len(c.Rows) {
		t.Fatalf("summary %+v", s)
	}
}

func TestTouchedFilesAreReadAndSameSizeChangesAreFound(t *testing.T) {
	g := newGround(t)
	g.repo("r", "touched", "one\n", "same", "one\n", "racy", "one\n")
	then := time.Now().Add(-time.Hour)
	for _, name := range []string{"r/touched", "r/same", "r/racy"} {
		if err := os.Chtimes(g.path(name), then, then); err != nil {
			t.Fatal(err)
		}
	}
	g.git("r", "update-index", "--refresh")
	g.write("r/same", "two\n")
	if err := os.Chtimes(g.path("r/same"), then, then); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(g.path("r/touched"), time.Now(), time.Now()); err != nil {
		t.Fatal(err)
	}
	g.wantRows(g.changes("r"), "M 1 1 same")
}

func TestLineEndingsOfTheRepositoryHold(t *testing.T) {
	g := newGround(t)
	g.repo("r", ".gitattributes", "*.txt text eol=crlf\n", "a.txt", "one\ntwo\n", "b", "one\r\n")
	g.write("r/a.txt", "one\r\ntwo\r\n")
	g.wantRows(g.changes("r"))
	g.write("r/a.txt", "one\r\nthree\r\n")
	c := g.changes("r")
	g.wantRows(c, "M 1 1 a.txt")
	g.git("r", "config", "core.autocrlf", "true")
	g.write("r/.gitattributes", "")
	g.wantRows(g.changes("r"), "M 0 1 .gitattributes", "M 1 1 a.txt")
}

package workspace

import (
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

func TestLongNamesOfIndexVersion4AreRead(t *testing.T) {
	g := newGround(t)
	long := strings.Repeat("long/", 40)
	files := []string{}
	for _, name := range []string{"a", long + "a", long + long + "a", long + long + "b", "z"} {
		files = append(files, name, "one\n")
	}
	g.repo("r", files...)
	g.git("r", "update-index", "--index-version", "4")
	x, err := parseIndex([]byte(g.read("r/.git/index")), 20)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range x.entries {
		if e.path != files[2*i] {
			t.Errorf("entry %d is %q, want %q", i, e.path, files[2*i])
		}
	}
}

func TestVarintOfTheIndexFormat(t *testing.T) {
	for in, want := range map[string]uint64{"\x00": 0, "\x7F": 127, "\x80\x00": 128, "\x80\x7F": 255, "\xFF\x7F": 16511, "\x80\x80\x00": 16512} {
		if got, n, err := indexVarint([]byte(in)); err != nil || n != len(in) || got != want {
			t.Errorf("% x: %d of %d bytes, %v, want %d", in, got, n, err, want)
		}
	}
	for _, in := range []string{"", "\x80", "\xFF\xFF\xFF\xFF\xFF\xFF\x7F"} {
		if _, _, err := indexVarint([]byte(in)); err == nil {
			t.Errorf("% x is taken", in)
		}
	}
}

// FuzzIndex: whatever a file says, no entry leads out of the work tree.
func FuzzIndex(f *testing.F) {
	entry := strings.Repeat("\x00", 24) + "\x00\x00\x81\xA4" + strings.Repeat("\x00", 12) + strings.Repeat("i", 20) + "\x00\x04" + "name\x00\x00\x00\x00\x00\x00"
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x01" + entry + strings.Repeat("s", 20)))
	f.Add([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x01" + entry + strings.Repeat("s", 20)))
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := parseIndex(data, 20)
		if err != nil || x.split {
			return
		}
		if !slices.IsSortedFunc(x.entries, func(a, b indexEntry) int { return strings.Compare(a.path, b.path) }) {
			t.Fatal("not sorted")
		}
		for _, e := range x.entries {
			if p := strings.TrimSuffix(e.path, "/"); p == "" || path.IsAbs(p) || path.Clean(p) != p || strings.HasPrefix(p, "..") && (len(p) == 2 || p[2] == '/') {
				t.Fatalf("path %q", e.path)
			}
		}
	})
}

// FuzzRows: no output of git, cut anywhere, makes a row without a path or panics.
func FuzzRows(f *testing.F) {
	f.Add([]byte(":100644 100644 1 2 M\x00a\x00:100644 100644 1 2 R100\x00a\x00b\x001\t2\ta\x00-\t-\t\x00a\x00b\x00"))
	f.Fuzz(func(t *testing.T, out []byte) {
		for _, row := range parseRows(out) {
			if row.Path == "" {
				t.Fatalf("%+v", row)
			}
		}
	})
}

// FuzzPatch: a patch, cut anywhere, never gives more text than it has.
func FuzzPatch(f *testing.F) {
	f.Add([]byte("diff --git a a\nnew file mode 100644\n--- /dev/null\n+++ a\n@@ -0,0 +1,2 @@\n+x\n+y\n\\ No newline at end of file\n"))
	f.Add([]byte("diff --git a a\ndeleted file mode 100644\nBinary files a and /dev/null differ\n@@ -99999999999999999999,9 +1\n"))
	f.Fuzz(func(t *testing.T, out []byte) {
		if n := strings.Count(string(out), "\n") + 1; len(parseDiff(out, Change{Path: "a"})) > n {
			t.Fatal("more lines than there are")
		}
	})
}

// FuzzGlob: any pattern meets any name without a panic, and its own text when it
// has no wildcard.
func FuzzGlob(f *testing.F) {
	f.Add("a/**/[!x-z[:digit:]]*\\?", "a/b/c")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		rule, ok := parseRule(pattern, false)
		if !ok {
			return
		}
		got := rule.matches(name, false)
		if rule.glob == nil && got != (rule.prefix == name) {
			t.Fatalf("%q on %q: %v", pattern, name, got)
		}
	})
}

func TestBinaryFilesThatComeAndGoTakeOneLine(t *testing.T) {
	g := newGround(t)
	g.repo("r", "old", "a\x00b")
	g.remove("r/old")
	g.write("r/new", "b\x00a")
	g.write("r/.gitattributes", "*.dat -diff\n")
	g.write("r/text.dat", "text\n")
	c := g.changes("r")
	g.wantRows(c, "? 1 0 .gitattributes", "? bin new", "D bin old", "? 1 0 text.dat")
	g.wantDiff(c, 1, "#new binary file")
	g.wantDiff(c, 2, "#deleted binary file")
}

func TestLinksAsFilesAndCaseFollowTheRepository(t *testing.T) {
	g := newGround(t)
	g.mkdir("r")
	g.link("target", "r/link")
	g.link("other", "r/changed")
	g.repo("r", "f", "one\n", ".gitignore", "*.LOG\nBuild/\n")
	g.git("r", "config", "core.symlinks", "false")
	g.git("r", "config", "core.fileMode", "false")
	g.git("r", "config", "core.ignoreCase", "true")
	for name, text := range map[string]string{"r/link": "target", "r/changed": "else"} {
		g.remove(name)
		g.write(name, text)
	}
	if err := os.Chmod(g.path("r/f"), 0o755); err != nil {
		t.Fatal(err)
	}
	g.write("r/x.log", "x\n")
	g.write("r/build/x", "x\n")
	g.wantRows(g.changes("r"), "M 1 1 changed")
}

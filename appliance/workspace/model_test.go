package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestChangesAreGitsOwn does random things to a repository and compares the rows
// with what git itself finds there.
func TestChangesAreGitsOwn(t *testing.T) {
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		if n++; n > 25 { // git takes long to start
			return
		}
		g := newGround(t)
		g.repo("r", "a", "one\n", "d/a", "one\ntwo\nthree\nfour\n", "d/b", "x\x00y", "d.x", "one\n", "e/f/g", "")
		g.git("r", "config", "core.fileMode", "true")
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			g.randomStep(rt)
		}
		got := []string{}
		for _, row := range rows(g.changes("r")) {
			if untracked, ok := strings.CutPrefix(row, "? "); ok {
				row = "? " + untracked[strings.LastIndexByte(untracked, ' ')+1:]
			}
			got = append(got, row)
		}
		want := g.gitsRows("r")
		slices.Sort(got)
		if !slices.Equal(got, want) {
			rt.Fatalf("rows:\n%s\ngit's:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

// randomStep does one thing that people and agents do.
func (g *ground) randomStep(rt *rapid.T) {
	names := rapid.SampledFrom([]string{"a", "d/a", "d/b", "d", "d.x", "e", "e/f", "e/f/g", "new", "n/new", "x.log"})
	name := g.path("r/" + names.Draw(rt, "name"))
	switch rapid.SampledFrom([]string{"write", "write", "remove", "rename", "mode", "link", "touch", "stage", "all", "unstage", "commit", "ignore"}).Draw(rt, "step") {
	case "write":
		_ = os.MkdirAll(filepath.Dir(name), 0o755)
		text := rapid.SampledFrom([]string{"", "one\n", "two\n", "one\ntwo\nthree\nfour\n", "one\ntwo\nthree\n4\n", "a\x00b", "no end"}).Draw(rt, "text")
		_ = os.WriteFile(name, []byte(text), 0o644)
	case "remove":
		_ = os.RemoveAll(name)
	case "rename":
		to := g.path("r/" + names.Draw(rt, "to"))
		_ = os.MkdirAll(filepath.Dir(to), 0o755)
		_ = os.Rename(name, to)
	case "mode":
		if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() {
			_ = os.Chmod(name, 0o755)
		}
	case "link":
		_ = os.Symlink("target", name)
	case "touch":
		if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() {
			_ = os.Chtimes(name, info.ModTime().Add(-1e10), info.ModTime().Add(-1e10))
		}
	case "stage":
		_, _ = g.tryGit("r", "add", "--", name)
	case "all":
		_, _ = g.tryGit("r", "add", "-A")
	case "unstage":
		_, _ = g.tryGit("r", "rm", "-q", "-r", "--cached", "--", name)
	case "commit":
		_, _ = g.tryGit("r", "commit", "-q", "-m", "c")
	case "ignore":
		_ = os.WriteFile(g.path("r/.gitignore"), []byte("*.log\nn/\n"), 0o644)
	}
}

func (g *ground) gitsRows(dir string) []string {
	_, _ = g.tryGit(dir, "update-index", "-q", "--refresh") // else what was touched counts
	tracked := parseRows([]byte(g.git(dir, "diff-index", "--raw", "--numstat", "-z", "-M", "HEAD")))
	out := rows(&Changes{Rows: tracked})
	for name := range strings.SplitSeq(g.git(dir, "ls-files", "-o", "--exclude-standard", "-z"), "\x00") {
		if name != "" {
			out = append(out, fmt.Sprintf("? %s", name))
		}
	}
	slices.Sort(out)
	return out
}

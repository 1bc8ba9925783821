package workspace

import (
	"os/exec"
	"path"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestIgnoreRulesAreGitsRules(t *testing.T) {
	for _, c := range []struct {
		rules, name string
		dir, want   bool
	}{
		{"*.o", "a/b.o", false, true},
		{"*.o\n!b.o", "a/b.o", false, false},
		{"/a", "b/a", false, false},
		{"a/b", "c/a/b", false, false},
		{"**/a/b", "c/a/b", false, true},
		{"a/**", "a", true, false},
		{"a/**", "a/b/c", false, true},
		{"a/**/b", "a/b", false, true},
		{"a/**/b", "a/x/y/b", false, true},
		{"a/*/b", "a/x/y/b", false, false},
		{"a/***/b", "a/x/y/b", false, true},
		{"build/", "build", false, false},
		{"build/", "x/build", true, true},
		{"# a\n\\#x", "#x", false, true},
		{"\\!x", "!x", false, true},
		{"x  ", "x", false, true},
		{"x\\ ", "x ", false, true},
		{"[a-c]?", "bz", false, true},
		{"[!a-c]", "b", false, false},
		{"[[:digit:]]x", "5x", false, true},
		{"[]-]", "-", false, true},
		{"[", "[", false, false},
		{"x\\", "x", false, false},
		{"\uFEFFx\r\ny", "x", false, true},
	} {
		if got := parseIgnore(c.rules, "", nil, false).match(c.name, c.dir); got != c.want {
			t.Errorf("%q on %q: %v", c.rules, c.name, got)
		}
	}
}

func TestManyStarsTakeNoLongTime(t *testing.T) {
	g, ok := compileGlob(strings.Repeat("*a", 200)+"b", false)
	if !ok || g.match(strings.Repeat("a", 4000)) {
		t.Fatal("matched")
	}
}

// TestIgnoreAgreesWithGit compares with git check-ignore on names and patterns
// made of few letters, so that they meet often.
func TestIgnoreAgreesWithGit(t *testing.T) {
	g := newGround(t)
	g.mkdir("r")
	g.git("r", "init", "-q")
	piece := rapid.SampledFrom([]string{"a", "b", "A", "*", "**", "***", "?", "/", "/", "[ab]", "[!a]", "[a-b]", "[^/]", "[]a]", "[[:alpha:]]", "[a", "\\a", "\\*", "\\", " ", "\\ ", "!", "#", ".", "-"})
	line := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(piece, 1, 6).Draw(t, "line"), "") })
	part := rapid.SampledFrom([]string{"a", "b", "ab", "ba", "aa", "A", "[a", "*", " ", "a ", "#a", "!a", "-", "a.b", "\\"})
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		if n++; n > 150 { // git takes long to start
			return
		}
		rules := strings.Join(rapid.SliceOfN(line, 1, 5).Draw(t, "rules"), "\n")
		names := []string{}
		for _, parts := range rapid.SliceOfN(rapid.SliceOfN(part, 1, 4), 20, 40).Draw(t, "names") {
			names = append(names, strings.Join(parts, "/"))
		}
		g.write("r/.gitignore", rules)
		ignored := map[string]bool{}
		cmd := exec.Command("git", "-c", "core.excludesFile=/dev/null", "check-ignore", "-z", "--stdin", "--no-index")
		cmd.Dir, cmd.Stdin = g.path("r"), strings.NewReader(strings.Join(names, "\x00")+"\x00")
		out, _ := cmd.Output()
		for name := range strings.SplitSeq(string(out), "\x00") {
			ignored[name] = true
		}
		list := parseIgnore(rules, "", nil, false)
		for _, name := range names {
			if got := ignoredWithParents(list, name); got != ignored[name] {
				t.Fatalf("rules %q, name %q: ours %v, git's %v", rules, name, got, ignored[name])
			}
		}
	})
}

func ignoredWithParents(l *ignoreList, name string) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if ignoredWithParents(l, dir) {
			return true
		}
		if l.match(dir, true) {
			return true
		}
	}
	return l.match(name, false)
}

func TestIgnoreFilesHoldFromTheirFolderDown(t *testing.T) {
	g := newGround(t)
	g.repo("r", ".gitignore", "*.log\n/out/\n", "sub/.gitignore", "!keep.log\nlocal\n", "out/tracked", "t\n")
	g.write("r/.git/info/exclude", "private\n")
	for _, name := range []string{"x.log", "sub/x.log", "sub/keep.log", "sub/local", "local", "private", "out/new", "sub/out/new"} {
		g.write("r/"+name, "x\n")
	}
	g.wantRows(g.changes("r"), "? 1 0 local", "? 1 0 sub/keep.log", "? 1 0 sub/out/new")
	g.git("r", "add", "-f", "out/tracked")
	g.write("r/out/tracked", "t\nu\n")
	g.wantRows(g.changes("r"), "? 1 0 local", "A 2 0 out/tracked", "? 1 0 sub/keep.log", "? 1 0 sub/out/new")
}

package workspace

import (
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// canary is what a file outside the root says; it must never come out.
const canary = "CANARY-d41d8cd9"

// marker is a command that leaves a file, and the file.
func (g *ground) marker() (command, file string) {
	file = filepath.Join(g.outside, "marker")
	command = filepath.Join(g.outside, "evil")
	script := fmt.Sprintf("#!/bin/sh\necho \"$0 $*\" >> %s\ncat\nexit 0\n", file)
	if err := os.WriteFile(command, []byte(script), 0o755); err != nil {
		g.t.Fatal(err)
	}
	return command, file
}

// everything asks for all that the package tells of a folder, and gives it as text.
func (g *ground) everything(dir string) (string, error) {
	ctx := context.Background()
	var out strings.Builder
	s, err := g.root.Summary(ctx, g.folder(dir))
	fmt.Fprintf(&out, "%+v\n", s)
	if err != nil {
		return out.String() + err.Error(), err
	}
	c, err := g.root.Changes(ctx, g.folder(dir))
	if err != nil {
		return out.String() + err.Error(), err
	}
	for i := range c.Rows {
		lines, err := c.Diff(ctx, i)
		fmt.Fprintf(&out, "%+v\n%+v %v\n", c.Rows[i], lines, err)
	}
	return out.String(), nil
}

// evilConfig names a command in every way that git knows to run one, or to read
// a file, while it compares.
func evilConfig(command, outside string) string {
	return strings.NewReplacer("CMD", command, "OUT", outside).Replace(`
[core]
	fsmonitor = CMD
	hooksPath = OUT/hooks
	sshCommand = CMD
	gitProxy = CMD
	pager = CMD
	editor = CMD
	askPass = CMD
	alternateRefsCommand = CMD
	attributesFile = OUT/attributes
	excludesFile = OUT/excludes
	worktree = OUT
	untrackedCache = true
	preloadIndex = true
[diff]
	external = CMD
	orderFile = OUT/order
	submodule = log
	ignoreSubmodules = none
[diff "x"]
	textconv = CMD
	command = CMD
	cachetextconv = true
[filter "x"]
	clean = CMD
	smudge = CMD
	process = CMD
	required = true
[filter "y"]
	clean = CMD
[merge "x"]
	driver = CMD
[pager]
	diff-index = CMD
	config = CMD
[alias]
	diff-index = !CMD
	update-index = !CMD
	config = !CMD
[credential]
	helper = !CMD
[uploadpack]
	packObjectsHook = CMD
[gpg]
	program = CMD
[include]
	path = OUT/included
[includeIf "gitdir:/"]
	path = OUT/included
[remote "evil"]
	url = ext::CMD
	promisor = true
	vcs = evil
	uploadpack = CMD
[submodule "s"]
	update = !CMD
	active = true
[trace2]
	normalTarget = OUT/trace
`)
}

// evil makes a repository with every trap set, and returns the marker's file.
func (g *ground) evil(dir string) string {
	command, file := g.marker()
	g.repo(dir, "f.x", "one\n", "f.y", "one\n", ".gitattributes", "*.x filter=x diff=x merge=x\n*.y filter=y\n")
	for _, hook := range []string{"post-index-change", "pre-commit", "fsmonitor-watchman", "post-checkout", "reference-transaction"} {
		for _, dir := range []string{dir + "/.git/hooks", g.outside + "/hooks"} {
			g.write(dir+"/"+hook, "#!/bin/sh\n"+command+" hook\n")
			if err := os.Chmod(filepath.Join(g.path(dir), hook), 0o755); err != nil {
				g.t.Fatal(err)
			}
		}
	}
	g.write(g.outside+"/included", "[core]\n\tfsmonitor = "+command+"\n")
	g.write(g.outside+"/excludes", "new\n")
	g.write(g.outside+"/attributes", "* diff=x filter=x\n")
	g.write(g.outside+"/order", "*\n")
	g.write(dir+"/.git/config", g.read(dir+"/.git/config")+evilConfig(command, g.outside))
	g.write(dir+"/f.x", "two\n")
	g.write(dir+"/f.y", "two\n")
	g.write(dir+"/new", "n\n")
	return file
}

func TestTrapsAreReal(t *testing.T) {
	g := newGround(t)
	file := g.evil("r")
	_, _ = g.tryGit("r", "status")
	_, _ = g.tryGit("r", "diff")
	if _, err := os.Stat(file); err != nil {
		t.Fatal("git itself runs none of the commands: the other tests prove nothing")
	}
}

func TestRepositoryRunsNothing(t *testing.T) {
	g := newGround(t)
	file := g.evil("r")
	c := g.changes("r")
	g.wantRows(c, "M 1 1 f.x", "M 1 1 f.y", "? 1 0 new")
	g.wantDiff(c, 0, "#@@ -1 +1 @@", "-one", "+two")
	g.wantDiff(c, 1, "#@@ -1 +1 @@", "-one", "+two")
	g.wantDiff(c, 2, "#new file", "#@@ -0,0 +1 @@", "+n")
	if s := g.summary("r"); s.Branch != "main" || s.Files != 3 {
		t.Fatalf("summary %+v", s)
	}
	if _, err := os.Stat(file); err == nil {
		t.Fatalf("ran: %s", g.read(file))
	}
}

func TestEnvironmentAndUserConfigurationRunNothing(t *testing.T) {
	g := newGround(t)
	g.repo("r", "f", "one\n")
	g.write("r/f", "two\n")
	command, file := g.marker()
	home := t.TempDir()
	if err := os.WriteFile(home+"/.gitconfig", []byte(evilConfig(command, g.outside)), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": home, "GIT_CONFIG_GLOBAL": home + "/.gitconfig",
		"GIT_DIR": g.outside, "GIT_WORK_TREE": g.outside, "GIT_INDEX_FILE": g.outside + "/index",
		"GIT_EXTERNAL_DIFF": command, "GIT_PAGER": command, "GIT_SSH_COMMAND": command, "GIT_EXEC_PATH": g.outside,
		"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsmonitor", "GIT_CONFIG_VALUE_0": command,
		"GIT_CONFIG_PARAMETERS": "'core.fsmonitor'='" + command + "'", "GIT_TRACE": g.outside + "/trace",
		"GIT_ALTERNATE_OBJECT_DIRECTORIES": g.outside, "GIT_OBJECT_DIRECTORY": g.outside, "GIT_NAMESPACE": "x",
	} {
		t.Setenv(name, value)
	}
	c := g.changes("r")
	g.wantRows(c, "M 1 1 f")
	g.wantDiff(c, 0, "#@@ -1 +1 @@", "-one", "+two")
	for _, f := range []string{file, g.outside + "/trace"} {
		if _, err := os.Stat(f); err == nil {
			t.Fatalf("%s was written", f)
		}
	}
}

// TestNothingOutsideIsRead plants, for each way that git follows, a path that
// leads out of the root, to a repository whose files and objects say the canary.
func TestNothingOutsideIsRead(t *testing.T) {
	for name, c := range map[string]struct {
		plant func(g *ground)
		err   error // what must be said; nil: the rest must work
	}{
		"git file": {func(g *ground) {
			g.remove("r/.git")
			g.write("r/.git", "gitdir: "+g.outside+"/o/.git\n")
		}, ErrUnsafe},
		"relative git file": {func(g *ground) {
			g.remove("r/.git")
			g.write("r/.git", "gitdir: ../../outside/o/.git\n")
		}, ErrUnsafe},
		"git link": {func(g *ground) {
			g.remove("r/.git")
			g.link(g.outside+"/o/.git", "r/.git")
		}, ErrUnsafe},
		"commondir":       {func(g *ground) { g.write("r/.git/commondir", g.outside+"/o/.git\n") }, ErrUnsafe},
		"alternates":      {func(g *ground) { g.write("r/.git/objects/info/alternates", g.outside+"/o/.git/objects\n") }, ErrUnsafe},
		"near alternates": {func(g *ground) { g.write("r/.git/objects/info/alternates", "../../../../outside/o/.git/objects\n") }, ErrUnsafe},
		"alternates link": {func(g *ground) {
			g.write(g.outside+"/alternates", g.outside+"/o/.git/objects\n")
			g.link(g.outside+"/alternates", "r/.git/objects/info/alternates")
		}, ErrUnsafe},
		"alternates of alternates": {func(g *ground) {
			g.write("r/.git/objects/info/alternates", g.dir+"/alt\n")
			g.write("alt/info/alternates", g.outside+"/o/.git/objects\n")
		}, ErrUnsafe},
		"objects": {func(g *ground) {
			g.remove("r/.git/objects")
			g.link(g.outside+"/o/.git/objects", "r/.git/objects")
		}, ErrUnsafe},
		"packs": {func(g *ground) {
			g.remove("r/.git/objects/pack")
			g.link(g.outside+"/o/.git/objects/pack", "r/.git/objects/pack")
		}, ErrUnsafe},
		"pack": {func(g *ground) { g.link(g.outside+"/f", "r/.git/objects/pack/pack-x.pack") }, ErrUnsafe},
		"loose objects": {func(g *ground) {
			g.remove("r/.git/objects/00")
			g.link(g.outside+"/o/.git/objects/00", "r/.git/objects/00")
		}, ErrUnsafe},
		"branch": {func(g *ground) {
			g.remove("r/.git/refs/heads/main")
			g.link(g.outside+"/o/.git/refs/heads/main", "r/.git/refs/heads/main")
		}, ErrUnsafe},
		"branches": {func(g *ground) {
			g.remove("r/.git/refs")
			g.link(g.outside+"/o/.git/refs", "r/.git/refs")
		}, ErrUnsafe},
		"packed refs": {func(g *ground) {
			g.remove("r/.git/refs/heads/main")
			g.link(g.outside+"/o/.git/packed-refs", "r/.git/packed-refs")
		}, ErrUnsafe},
		"head": {func(g *ground) {
			g.remove("r/.git/HEAD")
			g.link(g.outside+"/o/.git/HEAD", "r/.git/HEAD")
		}, ErrUnsafe},
		"ref with dots": {func(g *ground) { g.write("r/.git/HEAD", "ref: refs/../../../../outside/f\n") }, ErrDamaged},
		"index": {func(g *ground) {
			g.remove("r/.git/index")
			g.link(g.outside+"/o/.git/index", "r/.git/index")
		}, ErrUnsafe},
		"config": {func(g *ground) {
			g.remove("r/.git/config")
			g.link(g.outside+"/o/.git/config", "r/.git/config")
		}, ErrUnsafe},
		"index with dots":   {func(g *ground) { g.patchIndex("r", "aa/secret", "../secret") }, ErrDamaged},
		"index with a root": {func(g *ground) { g.patchIndex("r", "aa/secret", "/a/secret") }, ErrDamaged},
		"index with git":    {func(g *ground) { g.patchIndex("r", "dir/f", ".git/") }, ErrDamaged},
		"attributes and exclude": {func(g *ground) {
			g.remove("r/.git/info")
			g.mkdir("r/.git/info")
			g.link(g.outside+"/f", "r/.git/info/exclude")
			g.link(g.outside+"/f", "r/.git/info/attributes")
		}, nil},
		"ignore file":            {func(g *ground) { g.link(g.outside+"/f", "r/.gitignore") }, nil},
		"attributes in the tree": {func(g *ground) { g.link(g.outside+"/f", "r/.gitattributes") }, nil},
		"tracked file": {func(g *ground) {
			g.remove("r/f")
			g.link(g.outside+"/f", "r/f")
		}, nil},
		"folder of a tracked file": {func(g *ground) {
			g.remove("r/dir")
			g.link(g.outside+"/dir", "r/dir")
		}, nil},
		"untracked": {func(g *ground) {
			g.link(g.outside+"/f", "r/new")
			g.link(g.outside, "r/newdir")
		}, nil},
		"submodule": {func(g *ground) {
			g.git("r", "update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("1", 40)+",sub")
			g.mkdir("r/sub")
			g.write("r/sub/.git", "gitdir: "+g.outside+"/o/.git\n")
		}, nil},
		"nested repository": {func(g *ground) {
			g.mkdir("r/nested")
			g.write("r/nested/.git", "gitdir: "+g.outside+"/o/.git\n")
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGround(t)
			g.repo(g.outside+"/o", "f", canary+"\n", "secret", canary+"\n")
			commit := strings.TrimSpace(g.git(g.outside+"/o", "rev-parse", "HEAD"))
			g.git(g.outside+"/o", "pack-refs", "--all")
			g.write(g.outside+"/o/.git/refs/heads/main", commit+"\n")
			g.write(g.outside+"/f", canary+"\n")
			g.write(g.outside+"/dir/f", canary+"\n")
			g.write("secret", canary+"\n")
			g.repo("r", "f", "one\n", "dir/f", "one\n", "aa/secret", "one\n")
			c.plant(g)
			out, err := g.everything("r")
			if !errors.Is(err, c.err) {
				t.Fatalf("error %v, want %v; %s", err, c.err, out)
			}
			if strings.Contains(out, canary) || strings.Contains(out, commit[:10]) {
				t.Fatalf("read outside: %s", out)
			}
		})
	}
}

// patchIndex writes another path of the same length into an index.
func (g *ground) patchIndex(dir, from, to string) {
	g.t.Helper()
	data := strings.Replace(g.read(dir+"/.git/index"), from, to, 1)
	body := data[:len(data)-sha1.Size]
	sum := sha1.Sum([]byte(body))
	g.write(dir+"/.git/index", body+string(sum[:]))
	if !strings.Contains(body, to) {
		g.t.Fatal("the index does not have the path")
	}
}

func TestWhatLooksLikeABareRepositoryIsNone(t *testing.T) {
	g := newGround(t)
	command, file := g.marker()
	g.mkdir("bare")
	g.git("bare", "init", "-q", "--bare", ".")
	g.write("bare/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "+command+"\n")
	g.write("r/.git/HEAD", "ref: refs/heads/main\n") // no objects: not one either
	for _, dir := range []string{"bare", "bare/objects", "r", ""} {
		if s := g.summary(dir); s != (Summary{}) {
			t.Fatalf("%s: %+v", dir, s)
		}
		if _, err := g.root.Changes(context.Background(), g.folder(dir)); !errors.Is(err, ErrNoRepository) {
			t.Fatalf("%s: %v", dir, err)
		}
	}
	if _, err := os.Stat(file); err == nil {
		t.Fatal("a command ran")
	}
}

func TestRepositoryAboveTheRootIsNotSeen(t *testing.T) {
	g := newGround(t)
	g.git(filepath.Dir(g.dir), "init", "-q")
	if s := g.summary(""); s.Repo {
		t.Fatalf("%+v", s)
	}
}

// TestTreeBombEndsInWords has trees of trees with more files than any memory.
func TestTreeBombEndsInWords(t *testing.T) {
	g := newGround(t, WithTimeout(time.Second))
	g.repo("r", "f", "one\n")
	object := strings.TrimSpace(g.git("r", "rev-parse", "HEAD:f"))
	kind := "100644 blob"
	for range 10 {
		var tree strings.Builder
		for i := range 10 {
			fmt.Fprintf(&tree, "%s %s\t%d\n", kind, object, i)
		}
		g.write("tree", tree.String())
		object = strings.TrimSpace(g.git("r", "-c", "alias.mk=!git mktree < '"+g.path("tree")+"'", "mk"))
		kind = "040000 tree"
	}
	commit := strings.TrimSpace(g.git("r", "commit-tree", "-m", "bomb", object))
	g.git("r", "update-ref", "HEAD", commit)
	s, err := g.root.Summary(context.Background(), g.folder("r"))
	if err == nil && !s.Cut {
		t.Fatalf("%+v", s)
	}
	t.Logf("%+v, %v", s, err)
}

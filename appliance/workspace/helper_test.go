package workspace

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// ground is a root folder with a place outside it, for one test.
type ground struct {
	t       *testing.T
	root    *Root
	dir     string // the root
	outside string // beside it; what lies here must never be seen
}

func newGround(t *testing.T, options ...Option) *ground {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("these tests need git")
	}
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := &ground{t: t, dir: filepath.Join(top, "root"), outside: filepath.Join(top, "outside")}
	for _, d := range []string{g.dir, g.outside, filepath.Join(top, "temp")} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	options = append([]Option{WithTemp(filepath.Join(top, "temp")), WithTimeout(time.Minute)}, options...)
	if g.root, err = OpenRoot(g.dir, options...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		g.root.Close()
		left, _ := os.ReadDir(filepath.Join(top, "temp"))
		if len(left) > 0 {
			t.Errorf("%d private folders were left behind", len(left))
		}
	})
	return g
}

// path gives an absolute path; one that begins with a slash is as it is.
func (g *ground) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(g.dir, name)
}

func (g *ground) write(name, text string) {
	g.t.Helper()
	if err := os.MkdirAll(filepath.Dir(g.path(name)), 0o755); err != nil {
		g.t.Fatal(err)
	}
	if err := os.WriteFile(g.path(name), []byte(text), 0o644); err != nil {
		g.t.Fatal(err)
	}
}

func (g *ground) read(name string) string {
	g.t.Helper()
	data, err := os.ReadFile(g.path(name))
	if err != nil {
		g.t.Fatal(err)
	}
	return string(data)
}

func (g *ground) mkdir(names ...string) {
	g.t.Helper()
	for _, name := range names {
		if err := os.MkdirAll(g.path(name), 0o755); err != nil {
			g.t.Fatal(err)
		}
	}
}

func (g *ground) link(target, name string) {
	g.t.Helper()
	if err := os.Symlink(target, g.path(name)); err != nil {
		g.t.Fatal(err)
	}
}

func (g *ground) remove(name string) {
	g.t.Helper()
	if err := os.RemoveAll(g.path(name)); err != nil {
		g.t.Fatal(err)
	}
}

func (g *ground) rename(from, to string) {
	g.t.Helper()
	if err := os.Rename(g.path(from), g.path(to)); err != nil {
		g.t.Fatal(err)
	}
}

// git runs the real git the usual way, in dir.
func (g *ground) git(dir string, args ...string) string {
	g.t.Helper()
	out, err := g.tryGit(dir, args...)
	if err != nil {
		g.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return out
}

func (g *ground) tryGit(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", append([]string{"-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = g.path(dir)
	cmd.Env = append(os.Environ(), "HOME="+filepath.Dir(g.dir), "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org",
		"GIT_EDITOR=true")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// repo makes a repository with one commit of the files: name, text, name, text.
func (g *ground) repo(dir string, files ...string) {
	g.t.Helper()
	g.mkdir(dir)
	g.git(dir, "init", "-q", "-b", "main")
	for i := 0; i < len(files); i += 2 {
		g.write(filepath.Join(dir, files[i]), files[i+1])
	}
	g.commit(dir)
}

func (g *ground) commit(dir string) {
	g.t.Helper()
	g.git(dir, "add", "-A")
	g.git(dir, "commit", "-q", "--allow-empty", "-m", "c")
}

func (g *ground) folder(name string) Folder {
	g.t.Helper()
	f, err := g.root.Resolve(name)
	if err != nil {
		g.t.Fatalf("resolve %q: %v", name, err)
	}
	return f
}

func (g *ground) changes(dir string) *Changes {
	g.t.Helper()
	c, err := g.root.Changes(context.Background(), g.folder(dir))
	if err != nil {
		g.t.Fatalf("changes: %v", err)
	}
	return c
}

func (g *ground) summary(dir string) Summary {
	g.t.Helper()
	s, err := g.root.Summary(context.Background(), g.folder(dir))
	if err != nil {
		g.t.Fatalf("summary: %v", err)
	}
	return s
}

// rows gives the rows as text: "M 1 2 path", "R 0 0 old>new", "M bin path".
func rows(c *Changes) []string {
	out := []string{}
	for _, r := range c.Rows {
		n, name := fmt.Sprintf("%d %d", r.Added, r.Deleted), r.Path
		if r.Binary {
			n = "bin"
		}
		if r.OldPath != "" {
			name = r.OldPath + ">" + name
		}
		out = append(out, fmt.Sprintf("%c %s %s", r.State, n, name))
	}
	return out
}

// diff gives row i as text, each line with the sign of its kind.
func (g *ground) diff(c *Changes, i int) []string {
	g.t.Helper()
	lines, err := c.Diff(context.Background(), i)
	if err != nil {
		g.t.Fatalf("diff: %v", err)
	}
	out := []string{}
	for _, l := range lines {
		out = append(out, string(" +-#"[l.Kind])+l.Text)
	}
	return out
}

func (g *ground) wantRows(c *Changes, want ...string) {
	g.t.Helper()
	if got := rows(c); strings.Join(got, "\n") != strings.Join(want, "\n") {
		g.t.Fatalf("rows:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func (g *ground) wantDiff(c *Changes, i int, want ...string) {
	g.t.Helper()
	if got := g.diff(c, i); strings.Join(got, "\n") != strings.Join(want, "\n") {
		g.t.Fatalf("diff:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

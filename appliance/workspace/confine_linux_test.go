package workspace

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// walled makes a box behind the wall, with the stores of the repository dir. A
// kernel without Landlock has no wall to test.
func (g *ground) walled(dir string) *box {
	g.t.Helper()
	b, err := g.root.newBox()
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(b.close)
	program, _ := exec.LookPath("git")
	cmd := exec.Command(program, "version")
	if err := b.startConfined(cmd); errors.Is(err, errNoLandlock) {
		g.t.Skip("no Landlock here: ", err)
	} else if err != nil {
		g.t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		g.t.Fatal(err)
	}
	repo, err := g.root.repositoryAt(dir)
	if err != nil {
		g.t.Fatal(err)
	}
	b.confine = true
	set, err := g.root.settings(context.Background(), b, repo)
	if err != nil {
		g.t.Fatal(err)
	}
	if _, _, err := g.root.fill(context.Background(), b, repo, set); err != nil {
		g.t.Fatal(err)
	}
	return b
}

func TestWallHoldsGitToItsBox(t *testing.T) {
	g := newGround(t)
	g.repo("r", "f", "one\n")
	g.write("r/f", canary+"\n")
	g.write(g.outside+"/f", canary+"\n")
	command, file := g.marker()
	b := g.walled("r")
	ctx := context.Background()
	head := strings.TrimSpace(g.git("r", "rev-parse", "HEAD"))
	if out, err := b.run(ctx, nil, "cat-file", "-p", head+":f"); err != nil || string(out) != "one\n" {
		t.Fatalf("an object of the store: %q, %v", out, err)
	}
	if out, err := b.run(ctx, []byte("x"), "hash-object", "-w", "--stdin"); err != nil || len(out) == 0 {
		t.Fatalf("writing in the box: %q, %v", out, err)
	}
	forbidden := map[string][]string{
		"read outside":    {"hash-object", "--no-filters", g.outside + "/f"},
		"read the tree":   {"hash-object", "--no-filters", g.path("r/f")},
		"run a command":   {"-c", "alias.x=!" + command, "x"},
		"run a shell":     {"-c", "alias.x=!touch " + file, "x"},
		"write outside":   {"config", "--file", g.outside + "/config", "a.b", "c"},
		"write the store": {"config", "--file", g.path("r/.git/objects/c"), "a.b", "c"},
	}
	for name, args := range forbidden {
		if out, err := b.run(ctx, nil, args...); err == nil {
			t.Errorf("%s: %q", name, out)
		}
	}
	for _, f := range []string{file, g.outside + "/config", g.path("r/.git/objects/c")} {
		if _, err := os.Stat(f); err == nil {
			t.Errorf("%s was written", f)
		}
	}
	b.confine = false // all of it works without the wall: else nothing is shown here
	for name, args := range forbidden {
		if out, err := b.run(ctx, nil, args...); err != nil {
			t.Errorf("%s fails by itself: %q, %v", name, out, err)
		}
	}
	if g.changes("r"); !g.root.wall.works {
		t.Error("an inspection does without the wall")
	}
}

// TestStoreSwappedAfterTheCheckIsNotRead swaps the packs for those of a
// repository outside, in the moment when a check alone would be too late.
func TestStoreSwappedAfterTheCheckIsNotRead(t *testing.T) {
	g := newGround(t)
	g.repo("r", "f", "one\n")
	g.repo(g.outside+"/o", "f", canary+"\n")
	g.git("r", "gc", "-q")
	g.git(g.outside+"/o", "gc", "-q")
	head := strings.TrimSpace(g.git(g.outside+"/o", "rev-parse", "HEAD"))
	b := g.walled("r")
	g.remove("r/.git/objects/pack")
	g.link(g.outside+"/o/.git/objects/pack", "r/.git/objects/pack")
	if out, err := b.run(context.Background(), nil, "cat-file", "-p", head+":f"); err == nil {
		t.Fatalf("read %q", out)
	}
	b.confine = false // the same without the wall: else nothing is shown here
	if out, err := b.run(context.Background(), nil, "cat-file", "-p", head+":f"); err != nil || !strings.Contains(string(out), canary) {
		t.Fatalf("the swap does not work: %q, %v", out, err)
	}
}

// TestWallLeavesTheProgramAlone: the thread that was confined is gone.
func TestWallLeavesTheProgramAlone(t *testing.T) {
	g := newGround(t)
	g.repo("r", "f", "one\n")
	g.walled("r")
	for i := range 100 {
		g.changes("r")
		name := filepath.Join(g.outside, "free")
		if err := os.WriteFile(name, []byte{byte(i)}, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := exec.Command("/bin/sh", "-c", "exit 0").Run(); err != nil {
			t.Fatal(err)
		}
	}
}

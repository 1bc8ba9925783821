package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/prompt64/prompt64/frames/display"
)

// fakeGit writes a program to stand for git, and gives its path.
func fakeGit(t *testing.T, script string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "git")
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestMissingGitIsSaidAndTheBranchStillKnown(t *testing.T) {
	g := newGround(t, WithGit("/nowhere/git"))
	g.repo("r", "f", "one\n")
	s, err := g.root.Summary(context.Background(), g.folder("r"))
	if !errors.Is(err, ErrNoGit) || s != (Summary{Repo: true, Branch: "main"}) {
		t.Fatalf("%+v, %v", s, err)
	}
	if _, err := g.root.Changes(context.Background(), g.folder("r")); !errors.Is(err, ErrNoGit) {
		t.Fatalf("%v", err)
	}
}

func TestSlowGitIsGivenUp(t *testing.T) {
	g := newGround(t, WithGit(fakeGit(t, "exec sleep 600")), WithTimeout(100*time.Millisecond))
	g.repo("r", "f", "one\n")
	if _, err := g.root.Changes(context.Background(), g.folder("r")); !errors.Is(err, ErrTimeout) {
		t.Fatalf("got %v", err)
	}
}

func TestCancelKillsTheWholeGroup(t *testing.T) {
	for name, script := range map[string]string{
		"git itself": "echo $$ > $0.pids\nexec sleep 600",
		"a child":    "sleep 600 &\necho $! > $0.pids\nwait",
		"left alone": "sleep 600 &\necho $! > $0.pids\nexit 0",
		"deaf":       "trap '' TERM INT HUP\nsleep 600 &\necho $$ $! > $0.pids\nwait\nwait",
	} {
		t.Run(name, func(t *testing.T) {
			program := fakeGit(t, script)
			g := newGround(t, WithGit(program), WithTimeout(time.Hour))
			g.repo("r", "f", "one\n")
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			var pids []string
			var work sync.WaitGroup
			work.Go(func() {
				if name != "left alone" { // its git ends by itself
					defer cancel()
				}
				for len(pids) == 0 {
					text, _ := os.ReadFile(program + ".pids")
					if strings.HasSuffix(string(text), "\n") {
						pids = strings.Fields(string(text))
					}
					time.Sleep(time.Millisecond)
				}
			})
			_, err := g.root.Changes(ctx, g.folder("r"))
			work.Wait()
			if name == "left alone" && !errors.Is(err, errPipes) || name != "left alone" && !errors.Is(err, context.Canceled) {
				t.Fatalf("got %v", err)
			}
			for _, field := range pids {
				pid, _ := strconv.Atoi(field)
				waitGone(t, pid)
			}
		})
	}
}

// waitGone waits until a process is dead; a zombie, which only its parent can
// take away, is.
func waitGone(t *testing.T, pid int) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if syscall.Kill(pid, 0) != nil {
			return
		}
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if i := bytes.LastIndexByte(stat, ')'); i > 0 && bytes.HasPrefix(stat[i:], []byte(") Z")) {
			return
		}
	}
	t.Fatalf("process %d lives", pid)
}

func TestOutputBeyondTheCeilingIsDropped(t *testing.T) {
	for _, stream := range []string{"", ">&2"} {
		b := &box{dir: t.TempDir(), program: fakeGit(t, "exec yes 0123456789 "+stream)}
		if err := os.Mkdir(b.tree(), 0o700); err != nil {
			t.Fatal(err)
		}
		out, err := b.run(context.Background(), nil, "x")
		if !errors.Is(err, errCeiling) || len(out) > outputCeiling {
			t.Fatalf("%d bytes, %v", len(out), err)
		}
		if want := outputCeiling; stream == "" && len(out) != want {
			t.Fatalf("%d bytes, want %d", len(out), want)
		}
	}
}

func TestGitsComplaintFitsTheScreen(t *testing.T) {
	g := newGround(t, WithGit(fakeGit(t, "echo 'fatal: "+strings.Repeat("long words ", 50)+"' >&2; exit 128")))
	g.repo("r", "f", "one\n")
	_, err := g.root.Changes(context.Background(), g.folder("r"))
	if err == nil {
		t.Fatal("no error")
	}
	if n := len(display.Line(err.Error(), display.Options{})); n > 92 {
		t.Fatalf("%d bytes: %v", n, err)
	}
}

func TestNoSpaceForTheBoxIsSaid(t *testing.T) {
	g := newGround(t, WithTemp("/nowhere"))
	g.repo("r", "f", "one\n")
	_, err := g.root.Changes(context.Background(), g.folder("r"))
	if err == nil || strings.Contains(err.Error(), "/nowhere") {
		t.Fatalf("got %v", err)
	}
}

// TestFolderSwappedForALinkIsNeverRead swaps a tracked folder for a link that
// leads out, all the time that it is looked at.
func TestFolderSwappedForALinkIsNeverRead(t *testing.T) {
	g := newGround(t)
	g.repo("r", "dir/f", "one\n", "dir/sub/f", "one\n")
	g.write("r/dir/f", "two\n")
	g.write(g.outside+"/dir/f", canary+"\n")
	g.write(g.outside+"/dir/new", canary+"\n")
	g.write(g.outside+"/dir/sub/f", canary+"\n")
	stop := make(chan struct{})
	var work sync.WaitGroup
	defer work.Wait()
	defer close(stop)
	work.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			os.Rename(g.path("r/dir"), g.path("kept"))
			os.Symlink(g.outside+"/dir", g.path("r/dir"))
			os.Remove(g.path("r/dir"))
			os.Rename(g.path("kept"), g.path("r/dir"))
		}
	})
	for range 30 {
		if out, _ := g.everything("r"); strings.Contains(out, canary) {
			t.Fatalf("read outside: %s", out)
		}
	}
}

func TestInspectionsRunSideBySide(t *testing.T) {
	g := newGround(t)
	g.repo("r", "f", "one\n")
	g.write("r/f", "two\n")
	var work sync.WaitGroup
	for range 8 {
		work.Go(func() {
			c, err := g.root.Changes(context.Background(), Folder{Rel: "r"})
			if err != nil || len(c.Rows) != 1 {
				t.Errorf("%+v, %v", c, err)
				return
			}
			if lines, err := c.Diff(context.Background(), 0); err != nil || len(lines) != 3 {
				t.Errorf("%+v, %v", lines, err)
			}
		})
	}
	work.Wait()
}

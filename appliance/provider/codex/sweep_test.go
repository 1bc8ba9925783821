package codex

import (
	"os/exec"
	"runtime"
	"testing"

	"github.com/prompt64/prompt64/appliance/provider"
)

func TestOnlyWhatIsMarkedIsSwept(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux shows the environment of another process")
	}
	run, other := newRun(), newRun()
	start := func(env ...string) *exec.Cmd {
		cmd := exec.Command("sleep", "600")
		cmd.Env = env
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	mark := runVariable + "=" + run
	stays := []*exec.Cmd{
		start(runVariable + "=" + other),
		start("X" + mark),
		start(mark, threadVariable+"=t", callVariable+"=another"),
		start(mark, threadVariable+"=another", callVariable+"=c"),
		start(),
	}
	goes := start(mark, threadVariable+"=t", callVariable+"=c")
	if n := sweepCommands(run, "t", map[string]bool{"c": true}); n != 1 {
		t.Errorf("%d processes were ended, want 1", n)
	}
	_ = goes.Wait() // it was killed, or this hangs
	sweepRun(run)
	for i, cmd := range stays {
		if i == 2 || i == 3 {
			_ = cmd.Wait()
			continue
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Errorf("process %d was swept: %v", i, err)
		}
		_ = cmd.Wait()
	}
}

func TestNothingOutlivesAKilledServer(t *testing.T) {
	p := scripted(t, `setsid sleep 600 & exec "$0"`)
	s, err := p.Open(t.Context(), provider.Spec{Workspace: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	run := p.srv.c.t.(*process).run
	st := &stage{t: t, p: p, s: s}
	st.play("[[crash]]")
	left := 0
	sweep(func(env environ) bool {
		if env.has(runVariable, run) {
			left++
		}
		return false
	})
	if left != 0 {
		t.Errorf("%d processes are left", left)
	}
}

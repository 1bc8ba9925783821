package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/provider/codex"
	"github.com/prompt64/prompt64/appliance/provider/codex/responsestest"
	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/frames/framestest"
)

// appliance is this program with the real Codex and a model that only pretends,
// each a process that can be killed.
type appliance struct {
	t       *testing.T
	args    []string
	env     []string
	work    string // the workspace
	pidFile string // Codex's number

	cmd *exec.Cmd
	log bytes.Buffer
}

func newAppliance(t *testing.T) *appliance {
	t.Helper()
	binary := responsestest.Program(t, codex.KnownVersion)
	api := responsestest.New()
	t.Cleanup(api.Close)
	home, env := api.Home(t)
	dir := t.TempDir()
	a := &appliance{t: t, env: env, work: t.TempDir(), pidFile: filepath.Join(dir, "pid")}
	program := filepath.Join(dir, "codex")
	script := fmt.Sprintf("#!/bin/sh\necho $$ >'%s'\nexec '%s' \"$@\"\n", a.pidFile, binary)
	if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	a.args = []string{"serve", "-data", t.TempDir(), "-listen", "127.0.0.1:0", "-web", "127.0.0.1:0",
		"-workspaces", a.work, "-codex", program, "-codex-home", home}
	t.Cleanup(func() {
		if a.cmd != nil {
			a.kill(a.cmd.Process.Pid)
		}
		if t.Failed() {
			text := a.log.String()
			t.Logf("the end of the bridge's log:\n%s", text[max(0, len(text)-4<<10):])
		}
	})
	return a
}

// start starts the bridge and connects a C64 to it.
func (a *appliance) start() *framestest.Client {
	a.t.Helper()
	a.cmd = program(a.t, a.args...)
	a.cmd.Env = append(a.cmd.Env, a.env...)
	a.cmd.Stderr = &a.log
	out, err := a.cmd.StdoutPipe()
	if err != nil {
		a.t.Fatal(err)
	}
	if err := a.cmd.Start(); err != nil {
		a.t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	var bridge, web string
	if n, scanErr := fmt.Sscanf(line, "ready bridge=%s web=%s\n", &bridge, &web); n != 2 {
		a.t.Fatalf("ready line %q: %v, %v", line, err, scanErr)
	}
	c := framestest.New(framestest.Config{Dial: func(ctx context.Context) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", bridge)
	}})
	a.t.Cleanup(c.Close)
	if err := c.Connect(a.t.Context()); err != nil {
		a.t.Fatal(err)
	}
	return c
}

// codexPID is the number of the Codex that was started last.
func (a *appliance) codexPID() int {
	a.t.Helper()
	raw, err := os.ReadFile(a.pidFile)
	if err != nil {
		a.t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	if err != nil {
		a.t.Fatal(err)
	}
	return pid
}

// kill ends processes as the kernel does where memory is short, and collects the
// bridge if it is one of them.
func (a *appliance) kill(pids ...int) {
	for _, pid := range pids {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	if a.cmd != nil && slices.Contains(pids, a.cmd.Process.Pid) {
		_ = a.cmd.Wait() // it was killed
		a.cmd = nil
	}
}

// ran is how often the approved command ran.
func (a *appliance) ran() int {
	raw, err := os.ReadFile(filepath.Join(a.work, "log"))
	if err != nil && !os.IsNotExist(err) {
		a.t.Error(err)
	}
	return bytes.Count(raw, []byte("once\n"))
}

// takeUp selects the newest session. The Codex of a bridge that was killed holds
// it for a moment more, until it sees the end of its input.
func (a *appliance) takeUp(ctx context.Context, c *framestest.Client) {
	a.t.Helper()
	for {
		list, err := c.Sessions(ctx)
		if err == nil && len(list) > 0 {
			if _, err = c.Select(ctx, 0); err == nil {
				if _, err = c.History(ctx); err == nil {
					return
				}
			}
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			a.t.Fatalf("the session is never let go: %d listed, %v", len(list), err)
		}
	}
}

const runOnce = "[[run echo once >>log]]"

// asked begins a turn and waits for its approval.
func asked(ctx context.Context, t *testing.T, c *framestest.Client) framestest.Ask {
	t.Helper()
	if err := c.Prompt(runOnce); err != nil {
		t.Fatal(err)
	}
	ask, err := c.WaitApproval(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return ask
}

func TestConversationIsTakenUpAfterAKillInAnApproval(t *testing.T) {
	for name, kill := range map[string]struct{ codex, bridge bool }{
		"of Codex":      {codex: true},
		"of the bridge": {bridge: true},
		"of both":       {codex: true, bridge: true},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, stop := context.WithTimeout(t.Context(), patience)
			defer stop()
			a := newAppliance(t)
			c := a.start()
			if end := turn(t, c, "hello"); end.Kind != framestest.Done {
				t.Fatalf("%v %q", end.Kind, end.Text)
			}
			asked(ctx, t, c)
			var pids []int
			if kill.codex {
				pids = append(pids, a.codexPID())
			}
			if kill.bridge {
				pids = append(pids, a.cmd.Process.Pid)
			}
			a.kill(pids...)
			if kill.bridge {
				c.Close()
				c = a.start()
				a.takeUp(ctx, c)
			} else if end, err := c.WaitEnd(ctx); err != nil || end.Kind != framestest.Failed || !strings.Contains(end.Text, "killed") {
				t.Errorf("the turn ended as %v %q, %v", end.Kind, end.Text, err)
			}
			a.goesOn(ctx, c)
		})
	}
}

// goesOn checks that nothing ran unasked, that the conversation is whole, and
// that it goes on.
func (a *appliance) goesOn(ctx context.Context, c *framestest.Client) {
	a.t.Helper()
	if n := a.ran(); n != 0 {
		a.t.Errorf("what nobody accepted ran %d times", n)
	}
	if err := c.Decide(asked(ctx, a.t, c), frames.AcceptOnce); err != nil {
		a.t.Fatal(err)
	}
	if end, err := c.WaitEnd(ctx); err != nil || end.Kind != framestest.Done {
		a.t.Errorf("the turn behind it ended as %v %q, %v", end.Kind, end.Text, err)
	}
	if n := a.ran(); n != 1 {
		a.t.Errorf("what was accepted ran %d times", n)
	}
	said, err := c.History(ctx)
	if err != nil {
		a.t.Fatal(err)
	}
	var prompts []string
	for _, e := range said {
		if e.Speaker == frames.SpeakerUser {
			prompts = append(prompts, e.Text)
		}
	}
	if want := []string{"hello", runOnce, runOnce}; !slices.Equal(prompts, want) {
		a.t.Errorf("the prompts are %q, want %q", prompts, want)
	}
}

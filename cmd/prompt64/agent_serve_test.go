package main

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/agent"
	"github.com/prompt64/prompt64/appliance/agent/agenttest"
	"github.com/prompt64/prompt64/appliance/agent/fetch"
	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/frames/framestest"
)

// screenWords are what a C64 shows of a failure at a glance.
const screenWords = 90

// withoutCodex takes a Codex of this machine off the PATH.
func withoutCodex(t *testing.T) { t.Setenv("PATH", t.TempDir()) }

// stage is a bridge with a C64 on it.
func stage(t *testing.T, o serveOptions) *framestest.Client {
	t.Helper()
	a, err := startApp(t.Context(), o, silent)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	c := framestest.New(framestest.Config{Dial: func(ctx context.Context) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", a.bridgeAddr().String())
	}})
	t.Cleanup(c.Close)
	if err := c.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c
}

func turn(t *testing.T, c *framestest.Client, prompt string) framestest.Entry {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	end, err := c.Turn(ctx, prompt)
	if err != nil {
		t.Fatal(err)
	}
	return end
}

// installFake installs a program that passes for Codex.
func installFake(t *testing.T, data string, c agenttest.Codex) {
	t.Helper()
	archive := agenttest.Archive(t, "tar.gz", c.Entries(t, ""))
	path := filepath.Join(t.TempDir(), "archive")
	if err := os.WriteFile(path, archive, 0o600); err != nil {
		t.Fatal(err)
	}
	digest, err := fetch.ParseDigest(agenttest.Digest(archive))
	if err != nil {
		t.Fatal(err)
	}
	in := agent.Installer{Store: agent.Open(data)}
	if _, err := in.Install(t.Context(), agent.Request{Agent: agent.Codex, Version: c.Version, From: path, Digest: &digest}); err != nil {
		t.Fatal(err)
	}
}

func codexOn(t *testing.T) serveOptions {
	t.Helper()
	if agent.Available(agent.Codex, agent.ThisMachine()) != nil {
		t.Skipf("Codex cannot be installed on %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	withoutCodex(t)
	o := testOptions(t)
	o.agent.name = "codex"
	return o
}

func TestC64IsToldWhatToDoWhereCodexIsMissing(t *testing.T) {
	for name, c := range map[string]struct{ codex, words string }{
		"not installed": {"", "Set-up, Agent"},
		"wrong path":    {"/nowhere/codex", "Set-up, Agent"},
		"odd path":      {"/nowhere/codex-0.171", "Check -codex"},
		"far command":   {"nobody -T host codex app-server", "no program nobody"},
	} {
		t.Run(name, func(t *testing.T) {
			o := codexOn(t)
			o.agent.codex = c.codex
			end := turn(t, stage(t, o), "hello")
			if glance := end.Text[:min(len(end.Text), screenWords)]; end.Kind != framestest.Failed || !strings.Contains(glance, c.words) {
				t.Errorf("%v %q", end.Kind, end.Text)
			}
		})
	}
}

func TestC64IsToldWhatToDoWhereAnotherAgentIsMissing(t *testing.T) {
	withoutCodex(t)
	for name, c := range map[string]struct {
		agent agentOptions
		words string
	}{
		"preset":      {agentOptions{name: "acp:opencode"}, "Choose another on the pages: Set-up, Agent"},
		"own command": {agentOptions{name: "acp", acpCommand: "nobody acp"}, "no program nobody"},
	} {
		t.Run(name, func(t *testing.T) {
			o := testOptions(t)
			o.agent = c.agent
			end := turn(t, stage(t, o), "hello")
			if glance := end.Text[:min(len(end.Text), screenWords)]; end.Kind != framestest.Failed || !strings.Contains(glance, c.words) {
				t.Errorf("%v %q", end.Kind, end.Text)
			}
		})
	}
}

func TestC64IsToldWhereCodexDiesAtItsStart(t *testing.T) {
	o := codexOn(t)
	installFake(t, o.data, agenttest.Codex{Version: "1.0.0"})
	o.agent.codex = filepath.Join(t.TempDir(), "codex")
	if err := os.WriteFile(o.agent.codex, []byte(agenttest.Codex{Server: "die"}.Program(t)), 0o755); err != nil {
		t.Fatal(err)
	}
	end := turn(t, stage(t, o), "hello")
	if end.Kind != framestest.Failed || !strings.Contains(end.Text, "Install it again on the pages: Set-up, Agent") {
		t.Errorf("%v %q", end.Kind, end.Text)
	}
}

func TestInstallationHelpsABridgeThatRuns(t *testing.T) {
	o := codexOn(t)
	c := stage(t, o)
	if end := turn(t, c, "hello"); end.Kind != framestest.Failed {
		t.Fatalf("%v %q without a program", end.Kind, end.Text)
	}
	installFake(t, o.data, agenttest.Codex{Version: "0.171.0"})
	deadline := time.Now().Add(patience) // the lease waits a while before it tries again
	for {
		end := turn(t, c, "[[say HELLO FROM THE FAKE]]")
		if end.Kind == framestest.Done {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%v %q", end.Kind, end.Text)
		}
	}
}

func TestStatusShowsTheAgentsNameAndVersion(t *testing.T) {
	o := codexOn(t)
	installFake(t, o.data, agenttest.Codex{Version: "9.8.7"})
	c := stage(t, o)
	if end := turn(t, c, "[[say HI]]"); end.Kind != framestest.Done {
		t.Fatalf("%v %q", end.Kind, end.Text)
	}
	rows, err := c.Texts(t.Context(), frames.TabStatus)
	if err != nil || !strings.Contains(strings.ToLower(strings.Join(rows, "\n")), "codex 9.8.7") {
		t.Errorf("%q, %v", rows, err)
	}
}

func TestC64IsToldToSignIn(t *testing.T) {
	o := codexOn(t)
	installFake(t, o.data, agenttest.Codex{Version: "1.0.0", SignedOut: true, Login: "wait"})
	end := turn(t, stage(t, o), "hello")
	if end.Kind != framestest.Failed || !strings.Contains(end.Text, "enter C64A-BCDE") {
		t.Errorf("%v %q", end.Kind, end.Text)
	}
}

func TestCodexThatABridgeUsesIsNotRemoved(t *testing.T) {
	o := codexOn(t)
	installFake(t, o.data, agenttest.Codex{Version: "1.0.0"})
	a, err := startApp(t.Context(), o, silent)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := agent.Open(o.data).Remove(agent.Codex, ""); err == nil || !strings.Contains(err.Error(), "end it first") {
		t.Error(err)
	}
	if err := a.close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := agent.Open(o.data).Remove(agent.Codex, ""); err != nil {
		t.Error(err)
	}
}

func TestFlagsOfAnAgentChooseItWhateverTheSettingsSay(t *testing.T) {
	for want, args := range map[string][]string{
		"codex":        {"-codex-home", "x"},
		"acp":          {"-acp-command", "x"},
		"acp:opencode": {"-acp-command", "x", "-provider", "acp:opencode"},
		"demo":         nil,
	} {
		o, err := parseServe(streams{}, append([]string{"-data", t.TempDir()}, args...))
		if err != nil || o.agent.name != want || o.given["provider"] != (args != nil) {
			t.Errorf("%q: %q, given %v, %v", args, o.agent.name, o.given, err)
		}
	}
}

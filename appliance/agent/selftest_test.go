package agent

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/agent/agenttest"
)

// trial writes a program that behaves so.
func trial(t *testing.T, c agenttest.Codex) Trial {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "codex")
	if err := os.WriteFile(path, []byte(c.Program(t)), 0o755); err != nil {
		t.Fatal(err)
	}
	return Trial{Program: path, Version: "1.2.3", Scratch: t.TempDir()}
}

// clean fails if a test left anything behind.
func clean(t *testing.T, tr Trial) {
	t.Helper()
	if left, err := os.ReadDir(tr.Scratch); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

func TestHandshakeAcceptsTheRightVersionOnly(t *testing.T) {
	for _, c := range []struct {
		program agenttest.Codex
		words   string
	}{
		{agenttest.Codex{Version: "1.2.3"}, ""},
		{agenttest.Codex{Version: "1.2.4"}, "it calls itself version 1.2.4, not 1.2.3"},
		{agenttest.Codex{Version: ""}, "names no version"},
		{agenttest.Codex{Version: "1.2.3", Server: "die"}, "it said: error while loading shared libraries"},
		{agenttest.Codex{Version: "1.2.3", Server: "refuse"}, "it refuses: not today"},
		{agenttest.Codex{Version: "1.2.3", Server: "garble"}, "ended without an answer"},
	} {
		tr := trial(t, c.program)
		err := Handshake(t.Context(), tr)
		if c.words == "" && err != nil || c.words != "" && (err == nil || !strings.Contains(err.Error(), c.words)) {
			t.Errorf("%+v: %v", c.program, err)
		}
		clean(t, tr)
	}
}

func TestProgramThatDoesNotGoIsKilled(t *testing.T) {
	t.Parallel() // it takes its time
	tr := trial(t, agenttest.Codex{Version: "1.2.3", Server: "linger"})
	if err := Handshake(t.Context(), tr); err != nil {
		t.Error(err)
	}
	clean(t, tr)
}

func TestEndedSelfTestSaysWhy(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("interrupted"))
	for _, test := range []Test{Handshake, Sandbox} {
		if err := test(ctx, trial(t, agenttest.Codex{Version: "1.2.3"})); err == nil {
			t.Error("passed")
		}
	}
}

func TestTriedProgramSeesNoSecrets(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-secret")
	t.Setenv("CODEX_HOME", "/home/owner/.codex")
	err := Handshake(t.Context(), trial(t, agenttest.Codex{Server: "tell"}))
	if err == nil || !strings.Contains(err.Error(), "CODEX_HOME=") {
		t.Fatal(err)
	}
	for _, secret := range []string{"sk-secret", "/home/owner"} {
		if strings.Contains(err.Error(), secret) {
			t.Errorf("it sees %s", secret)
		}
	}
}

func TestProgramForAnotherMachineIsNamedAsSuch(t *testing.T) {
	tr := trial(t, agenttest.Codex{})
	if err := os.WriteFile(tr.Program, []byte("\x7fELF and nothing of it"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Handshake(t.Context(), tr); err == nil || !strings.Contains(err.Error(), "another machine") {
		t.Error(err)
	}
}

func TestSandboxMustRunAndMustConfine(t *testing.T) {
	for sandbox, words := range map[string]string{
		"":     "",
		"fail": "Creating new namespace failed",
		"leak": "could write: do not use this version",
	} {
		tr := trial(t, agenttest.Codex{Version: "1.2.3", Sandbox: sandbox})
		err := Sandbox(t.Context(), tr)
		if words == "" && err != nil || words != "" && (err == nil || !strings.Contains(err.Error(), words)) {
			t.Errorf("%q: %v", sandbox, err)
		}
		clean(t, tr)
	}
}

func TestNoiseIsKeptShort(t *testing.T) {
	n := &tail{}
	for range 100 {
		_, _ = n.Write([]byte(strings.Repeat("x", 1000)))
	}
	_, _ = n.Write([]byte("the end"))
	if s := n.String(); len(s) > maxNoise+20 || !strings.HasSuffix(s, "the end") {
		t.Errorf("%d bytes, ends with %q", len(s), s[len(s)-10:])
	}
}

func TestNoiseLosesItsColours(t *testing.T) {
	n := &tail{}
	_, _ = n.Write([]byte("\x1b[33mWARN\x1b[0m odd\n\x1b[31mERROR\x1b[0m out of cheese\n"))
	if s := n.String(); s != ": it said: WARN odd\nERROR out of cheese" {
		t.Errorf("%q", s)
	}
}

// The whole way, with programs instead of stand-ins for the tests.
func TestInstallationTriesTheProgram(t *testing.T) {
	r := newRig(t)
	r.in.Tests, r.in.Again = nil, nil
	if _, err := r.in.Install(t.Context(), r.archive(agenttest.Codex{Version: "1.0.0"})); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		program agenttest.Codex
		words   string
	}{
		{agenttest.Codex{Version: "2.0.0", Server: "die"}, "shared libraries"},
		{agenttest.Codex{Version: "2.0.0", Sandbox: "fail"}, "commands of the agent would fail"},
		{agenttest.Codex{Version: "2.0.0", Sandbox: "leak"}, "do not use"},
	} {
		r.refused(r.archive(c.program), c.words)
	}
	mislabelled := r.archive(agenttest.Codex{Version: "2.0.0"})
	mislabelled.Version = "2.0.1"
	r.refused(mislabelled, "not 2.0.1")
	if r.current() != "1.0.0" || len(r.litter()) > 0 {
		t.Errorf("current %s, left %q", r.current(), r.litter())
	}
}

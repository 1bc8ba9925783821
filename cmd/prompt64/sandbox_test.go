package main

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/agent"
	"github.com/prompt64/prompt64/appliance/agent/doctor"
	"github.com/prompt64/prompt64/appliance/health"
	"github.com/prompt64/prompt64/appliance/health/checks"
)

func TestSandboxOfEachInstalledCodexIsTriedOnceAndItsFaultIsShown(t *testing.T) {
	var tried []string
	s := &sandbox{try: func(_ context.Context, program string) error {
		tried = append(tried, program)
		if program == "bad" {
			return errors.New("sandbox: there are no user namespaces")
		}
		return nil
	}}
	for _, program := range []string{"", "good", "good", "bad", "bad"} {
		s.look(t.Context(), program)
	}
	if got := strings.Join(tried, " "); got != "good bad" {
		t.Errorf("tried %s", got)
	}
	if f := s.findings("good"); f != nil {
		t.Errorf("of one that is gone it says %v", f)
	}
	f := s.findings("bad")
	probe := checks.Agent(func() string { return "codex" }, func(context.Context) ([]doctor.Finding, error) { return f, nil })
	n := probe.Check(t.Context())
	if n.State != health.Fail || !strings.Contains(n.Detail, "user namespaces") || n.Hint == "" {
		t.Errorf("the health says %+v", n)
	}
}

func TestTrialDuringAnInstallationIsMadeAfterIt(t *testing.T) {
	err := error(agent.ErrBusy)
	s := &sandbox{try: func(context.Context, string) error { return err }}
	s.look(t.Context(), "codex")
	if f := s.findings("codex"); f != nil {
		t.Errorf("it says %v", f)
	}
	err = nil
	s.look(t.Context(), "codex")
	if f := s.findings("codex"); len(f) != 1 || f[0].State != doctor.OK {
		t.Errorf("afterwards it says %v", f)
	}
}

func TestTrialThatIsCutOffSaysNothingOfTheProgram(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := &sandbox{try: func(context.Context, string) error {
		cancel()
		return context.Canceled
	}}
	s.look(ctx, "codex")
	if f := s.findings("codex"); f != nil {
		t.Errorf("it says %v", f)
	}
	if f := (*sandbox)(nil).findings("codex"); f != nil {
		t.Errorf("a workstation says %v", f)
	}
}

func TestOnlyADevicesCodexIsTried(t *testing.T) {
	for _, c := range []struct {
		name   string
		device bool
	}{{"demo", true}, {"codex", false}, {"codex", true}} {
		a := &app{options: serveOptions{device: c.device, agent: agentOptions{name: c.name}}}
		a.makeSandbox()
		if got, want := a.sandboxPart().Service != nil, c.device && c.name == "codex"; got != want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

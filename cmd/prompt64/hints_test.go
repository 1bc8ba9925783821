package main

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/agent/doctor"
	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/provider/codex"
)

// forAShell is what nobody can do who has nothing but the pages.
var forAShell = regexp.MustCompile(`prompt64 [a-z]|npm |[Rr]un: | -[a-z]{2,}`)

// found is what is found of every agent on a machine on which there is none.
func found(t *testing.T) []doctor.Finding {
	t.Helper()
	t.Setenv("PATH", t.TempDir())
	var all []doctor.Finding
	for _, name := range providerNames() {
		for _, status := range []codex.Status{{}, {Account: codex.Account{Known: true, Needed: true}}} {
			findings, err := glance(agentOptions{name: name}, t.TempDir(), func() codex.Status { return status })
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, findings...)
		}
	}
	_, program := folderWith(t, "codex")
	findings, err := glanceAtCodex(codexOptions{codex: program}, t.TempDir(), codex.Status{})
	if err != nil {
		t.Fatal(err)
	}
	broken := &sandbox{program: program, err: errors.New("no namespaces")}
	return slices.Concat(all, findings, broken.findings(program))
}

func TestHintsOnThePagesNeedNoCommandLineAndThoseOfTheCommandLineNameTheCommand(t *testing.T) {
	commands := 0
	for _, f := range found(t) {
		if f.State == doctor.OK {
			continue
		}
		if words := f.Says + ". " + f.OnPages(); forAShell.MatchString(words) {
			t.Errorf("the pages say: %s", words)
		}
		if strings.HasPrefix(f.Do, "run: ") {
			commands++
			if !strings.Contains(f.OnPages(), "Set-up, Agent") {
				t.Errorf("there is no way on the pages to %q: %q", f.Do, f.OnPages())
			}
		}
	}
	if commands < 4 { // Codex is not there, nobody is signed in, and the ACP agents
		t.Errorf("%d commands are named", commands)
	}
}

func TestDevicesPageOfAgentsAsksForNoCommand(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, device := range []bool{true, false} {
		o := serveOptions{data: t.TempDir(), device: device}
		settings := config.Open(config.Options{Dir: t.TempDir(), Providers: providerNames()})
		if err := settings.Update(func(s *config.Settings) error { s.Provider = "acp:opencode"; return nil }); err != nil {
			t.Fatal(err)
		}
		told := 0
		for _, a := range (pageAgents{&app{options: o, settings: settings}}).List(t.Context()) {
			if a.Trouble == "" {
				continue
			}
			told++
			if forAShell.MatchString(a.Trouble) == device {
				t.Errorf("device %v: %s: %s", device, a.Name, a.Trouble)
			}
		}
		if told == 0 || device && told != 1 {
			t.Errorf("device %v: %d agents lack something", device, told)
		}
	}
}

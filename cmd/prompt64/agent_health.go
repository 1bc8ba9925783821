package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/prompt64/prompt64/appliance/agent/doctor"
	"github.com/prompt64/prompt64/appliance/provider/codex"
)

// agentFindings examines the agent of a bridge that runs. It starts nothing, so
// it may be asked often; "prompt64 agent doctor" looks deeper.
func (a *app) agentFindings(context.Context) ([]doctor.Finding, error) {
	p, _ := a.provider.(*codex.Provider)
	found, err := glance(a.options.agent, a.options.data, func() codex.Status {
		if p == nil {
			return codex.Status{}
		}
		return p.Status()
	})
	if err != nil || a.sandbox == nil {
		return found, err
	}
	program, err := findCodex(a.options.agent.codexOptions, a.options.data)
	if err != nil {
		return found, err
	}
	defer func() { _ = program.close() }()
	return append(found, a.sandbox.findings(program.path)...), nil
}

// glance looks for what an agent needs without starting it.
func glance(o agentOptions, data string, status func() codex.Status) ([]doctor.Finding, error) {
	switch kind, preset := o.kind(); kind {
	case "codex":
		return glanceAtCodex(o.codexOptions, data, status())
	case "acp":
		if o.acpCommand != "" {
			argv, err := splitWords(o.acpCommand)
			if err != nil {
				return nil, err
			}
			return doctor.ACP{Name: argv[0], Argv: argv}.Examine(), nil
		}
		return examine(context.Background(), "acp:"+preset, codexOptions{}, data)
	}
	return nil, nil // the demo needs nothing
}

// glanceAtCodex knows who is signed in from Codex itself, once that ran, and
// before that from the file that a sign-in leaves.
func glanceAtCodex(o codexOptions, data string, s codex.Status) ([]doctor.Finding, error) {
	program, err := findCodex(o, data)
	if err != nil {
		return nil, err
	}
	defer func() { _ = program.close() }()
	home := o.home
	if home == "" {
		home = filepath.Join(data, "codex")
	}
	_, noFile := os.Stat(filepath.Join(home, "auth.json"))
	nobody := doctor.NobodySignedIn()
	var found []doctor.Finding
	add := func(f doctor.Finding) { found = append(found, f) }
	switch {
	case program.missing != "":
		add(doctor.NotInstalled(program.missing))
	case s.Account.Needed:
		add(nobody)
	case s.Account.Known:
		add(doctor.Finding{Check: "sign-in", State: doctor.OK, Says: s.Account.String()})
	case program.remote() != "":
		add(doctor.Finding{Check: "sign-in", State: doctor.OK, Says: "it runs elsewhere: " + program.remote()})
	case noFile != nil:
		add(nobody)
	default:
		add(doctor.Finding{Check: "sign-in", State: doctor.OK, Says: "installed, and somebody signed in"})
	}
	for _, w := range s.Warnings {
		add(doctor.Finding{Check: "rules", State: doctor.Warning, Says: w, Do: "remove the rules that allow"})
	}
	return found, nil
}

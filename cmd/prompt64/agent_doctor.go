package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/prompt64/prompt64/appliance/agent"
	"github.com/prompt64/prompt64/appliance/agent/doctor"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/acp"
	"github.com/prompt64/prompt64/appliance/provider/codex"
)

var agentDoctor command

func init() {
	agentDoctor = command{
		name:    "agent doctor",
		args:    "[codex|acp:NAME] [-json] [-data DIR] [-codex PATH] [-codex-home DIR]",
		summary: "Says what an agent lacks to run here, and what to do about it.",
		run:     runAgentDoctor,
	}
}

// errUnwell is the end of an examination that found something missing.
var errUnwell = errors.New("something is missing: see above")

func runAgentDoctor(s streams, args []string) error {
	fs := flag.NewFlagSet("agent doctor", flag.ContinueOnError)
	asJSON := fs.Bool("json", false, "print the findings as JSON")
	var o codexOptions
	codexFlags(fs, &o)
	data := dataFlag(fs)
	name, err := parseVerb(s, agentDoctor, fs, args, agent.Codex)
	if err != nil {
		return err
	}
	dir, err := data()
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	findings, err := examine(ctx, name, o, dir)
	if err != nil {
		return err
	}
	if *asJSON {
		if findings == nil {
			findings = []doctor.Finding{}
		}
		encoder := json.NewEncoder(s.out)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(findings)
	} else {
		err = printFindings(s.out, findings)
	}
	if err == nil && !doctor.Healthy(findings) {
		err = errUnwell
	}
	return err
}

func printFindings(w io.Writer, findings []doctor.Finding) error {
	for _, f := range findings {
		if _, err := fmt.Fprintf(w, "%-8s %s: %s\n", f.State, f.Check, f.Says); err != nil {
			return err
		}
		if f.Do != "" {
			if _, err := fmt.Fprintf(w, "         -> %s\n", f.Do); err != nil {
				return err
			}
		}
	}
	return nil
}

// examine asks the doctor about an agent.
func examine(ctx context.Context, name string, o codexOptions, data string) ([]doctor.Finding, error) {
	if name == agent.Codex {
		return examineCodex(ctx, o, data)
	}
	preset, _ := strings.CutPrefix(name, "acp:")
	argv, install, ok := acp.Command(preset)
	if !ok {
		return nil, usagef("there is no agent %q to examine: choose %s or one of %s", name, agent.Codex, strings.Join(acp.Presets(), ", "))
	}
	return doctor.ACP{Name: preset, Argv: argv, Install: install}.Examine(), nil
}

func examineCodex(ctx context.Context, o codexOptions, data string) ([]doctor.Finding, error) {
	program, err := findCodex(o, data)
	if err != nil {
		return nil, err
	}
	defer func() { _ = program.close() }()
	home := o.home
	if home == "" {
		home = filepath.Join(data, "codex")
	}
	return doctor.Codex(ctx, doctor.Setup{
		Data: data, Program: program.path, Remote: program.remote(), Missing: program.missing, Home: home,
		Account: func(ctx context.Context) (a codex.Account, warnings []string, err error) {
			err = withCodex(o, data, nil, io.Discard, func(p *codex.Provider) error {
				a, err = p.Account(ctx)
				warnings = p.Warnings()
				return err
			})
			return a, warnings, provider.InShell(err)
		},
	}), nil
}

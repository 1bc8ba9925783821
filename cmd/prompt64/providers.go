package main

import (
	"log/slog"
	"slices"
	"strings"

	"github.com/prompt64/prompt64/appliance/privsep"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/acp"
	"github.com/prompt64/prompt64/appliance/provider/codex"
	"github.com/prompt64/prompt64/appliance/provider/demo"
)

// agentOptions say which agent works, and how it is started.
type agentOptions struct {
	name string // as -provider names it
	codexOptions
	acpCommand string // of an agent without a preset, or in the place of a preset's
}

// setting is what a provider is made of.
type setting struct {
	agentOptions
	data string // the data folder
	user *privsep.User
	log  *slog.Logger
}

// providerMaker makes an agent that keeps what it must in the data folder. The
// function that it returns lets go of what the agent used, after its Close.
type providerMaker struct {
	name string
	make func(setting) (provider.Provider, func() error, error)
}

// providers lists the agents; the first is the default.
var providers = []providerMaker{
	{"demo", makeDemo},
	{"codex", makeCodex},
	{"acp", makeACP},
}

func makeDemo(s setting) (provider.Provider, func() error, error) {
	p, err := demo.New(demo.Config{User: s.user, DataDir: s.data, Version: version(), Logger: s.log})
	return p, noRelease, err
}

func noRelease() error { return nil }

// makeCodex does not mind that Codex is missing: the C64 is told when it opens a
// session, and an installation helps without a new start.
func makeCodex(s setting) (provider.Provider, func() error, error) {
	program, err := findCodex(s.codexOptions, s.data)
	if err != nil {
		return nil, nil, err
	}
	if program.missing != "" {
		s.log.Warn("codex cannot start yet: " + program.missing + "; Set-up, Agent on the pages installs it, or: prompt64 agent install codex")
	}
	p, err := codex.New(program.config(s.codexOptions, s.data, s.user, s.log))
	if err != nil {
		_ = program.close()
		return nil, nil, err
	}
	return p, program.close, nil
}

// makeACP drives an agent that speaks the Agent Client Protocol. Whether its
// program is there shows when it is started first, on the C64.
func makeACP(s setting) (provider.Provider, func() error, error) {
	var argv []string
	if s.acpCommand != "" {
		var err error
		if argv, err = splitWords(s.acpCommand); err != nil {
			return nil, nil, usagef("-acp-command %q: %w", s.acpCommand, err)
		}
	}
	_, name := s.kind()
	p, err := acp.New(acp.Config{User: s.user, Name: name, Argv: argv, DataDir: s.data, Version: version(), Logger: s.log})
	return p, noRelease, err
}

// kind splits acp:NAME into its parts.
func (o agentOptions) kind() (kind, name string) {
	kind, name, _ = strings.Cut(o.name, ":")
	return kind, name
}

// providerNames are the names that -provider takes.
func providerNames() []string {
	var names []string
	for _, p := range providers {
		if p.name != "acp" {
			names = append(names, p.name)
		}
	}
	for _, name := range acp.Presets() {
		names = append(names, "acp:"+name)
	}
	return names
}

// implied is the provider that the other flags speak of, empty if they speak of
// none.
func (o agentOptions) implied() string {
	switch {
	case o.codexOptions != (codexOptions{}):
		return "codex"
	case o.acpCommand != "":
		return "acp"
	}
	return ""
}

// check finds what is wrong with the options before anything is started.
func (o agentOptions) check() error {
	kind, name := o.kind()
	known := slices.Contains(providerNames(), o.name)
	own := kind == "acp" && o.acpCommand != "" // any name goes with a command
	switch {
	case kind == "acp" && name == "" && !own:
		return usagef("say which agent with -provider acp:NAME (%s), or give its command with -acp-command", strings.Join(acp.Presets(), ", "))
	case !known && !own:
		return usagef("there is no provider %q: choose one of %s, or give an agent's command with -provider acp -acp-command", o.name, strings.Join(providerNames(), ", "))
	case kind != "codex" && o.codexOptions != (codexOptions{}):
		return usagef("the flags for Codex need -provider codex")
	case kind != "acp" && o.acpCommand != "":
		return usagef("-acp-command needs -provider acp")
	}
	return nil
}

func makeProvider(s setting) (provider.Provider, func() error, error) {
	kind, _ := s.kind()
	i := slices.IndexFunc(providers, func(p providerMaker) bool { return p.name == kind })
	return providers[i].make(s)
}

package main

import (
	"log/slog"
	"slices"
	"strings"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/codex"
	"github.com/prompt64/prompt64/appliance/provider/demo"
)

// agentOptions say which agent works, and how it is started.
type agentOptions struct {
	name string // as -provider names it
	codexOptions
}

// setting is what a provider is made of.
type setting struct {
	agentOptions
	data string // the data folder
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
}

func makeDemo(s setting) (provider.Provider, func() error, error) {
	p, err := demo.New(demo.Config{DataDir: s.data, Version: version(), Logger: s.log})
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
		s.log.Warn("codex cannot start yet: " + program.missing)
	}
	p, err := codex.New(program.config(s.codexOptions, s.data, s.log))
	if err != nil {
		_ = program.close()
		return nil, nil, err
	}
	return p, program.close, nil
}

func providerNames() []string {
	var names []string
	for _, p := range providers {
		names = append(names, p.name)
	}
	return names
}

// check finds what is wrong with the options before anything is started.
func (o agentOptions) check() error {
	if !slices.Contains(providerNames(), o.name) {
		return usagef("there is no provider %q: choose one of %s", o.name, strings.Join(providerNames(), ", "))
	}
	if o.name != "codex" && o.codexOptions != (codexOptions{}) {
		return usagef("the flags for Codex need -provider codex")
	}
	return nil
}

func makeProvider(s setting) (provider.Provider, func() error, error) {
	i := slices.IndexFunc(providers, func(p providerMaker) bool { return p.name == s.name })
	return providers[i].make(s)
}

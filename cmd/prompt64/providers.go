package main

import (
	"log/slog"
	"slices"
	"strings"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/demo"
)

// providerMaker makes an agent that keeps what it must in the data folder.
type providerMaker struct {
	name string
	make func(data string, log *slog.Logger) (provider.Provider, error)
}

// providers lists the agents; the first is the default.
var providers = []providerMaker{
	{"demo", func(data string, log *slog.Logger) (provider.Provider, error) {
		return demo.New(demo.Config{DataDir: data, Version: version(), Logger: log})
	}},
}

func providerNames() []string {
	var names []string
	for _, p := range providers {
		names = append(names, p.name)
	}
	return names
}

func checkProvider(name string) error {
	if !slices.Contains(providerNames(), name) {
		return usagef("there is no provider %q: choose one of %s", name, strings.Join(providerNames(), ", "))
	}
	return nil
}

func makeProvider(name, data string, log *slog.Logger) (provider.Provider, error) {
	i := slices.IndexFunc(providers, func(p providerMaker) bool { return p.name == name })
	return providers[i].make(data, log)
}

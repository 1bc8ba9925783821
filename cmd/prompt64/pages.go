package main

import (
	"context"
	"slices"

	"github.com/prompt64/prompt64/appliance/link"
	"github.com/prompt64/prompt64/appliance/supervisor"
	"github.com/prompt64/prompt64/appliance/ultimate"
	"github.com/prompt64/prompt64/appliance/web"
)

// pagesPart serves the pages. They outlive their listener, and who is signed in
// with them.
func (a *app) pagesPart() supervisor.Part {
	pages := web.New(a.pagesConfig())
	a.onClose(func(context.Context) error { pages.Close(); return nil })
	return supervisor.Part{
		Name: "pages", Deadline: supervisor.DefaultDeadline, Patience: listenerPatience, Needed: true,
		Service: supervisor.Func(func(ctx context.Context) error {
			l, err := a.browsers.take()
			if err != nil {
				return err
			}
			return pages.Serve(ctx, supervisor.Accepting(ctx, l))
		}),
	}
}

// pagesConfig is what the pages learn of the bridge.
func (a *app) pagesConfig() web.Config {
	port := a.c64s.port()
	cfg := web.Config{
		Settings:   a.settings,
		State:      a.state,
		Program:    func(p web.Program) ([]byte, error) { return pagePRG(p, port) },
		Port:       port,
		Tree:       a.health.Look,
		Health:     (&sign{look: func() { a.leases.Snapshot() }, patience: signPatience}).check,
		Names:      a.ownNames,
		Workspaces: a.keeper,
		Ports:      serialPorts,
		Ultimates:  pageUltimates{&ultimate.Client{}},
		Pending:    a.pending,
		Restart:    a.again,
		Sessions:   a.options.sessions,
		Log:        a.log.With("part", "web"),
	}
	cfg.Conversations = a.leases
	cfg.Damage, cfg.Erase = a.options.damage, a.erase()
	if kept := a.options.kept; kept != nil {
		cfg.Logs, cfg.Bundle = kept, a.writeBundle
	}
	if !a.options.given["provider"] { // the command line wins
		cfg.Agents = pageAgents{a}
	}
	if a.wifi != nil {
		cfg.Wifi = pageWifi{a.wifi}
	}
	if a.updates != nil {
		cfg.Updates = a.updates
	}
	return cfg
}

// ownNames are what this machine is called in the network.
func (a *app) ownNames() []string {
	return []string{a.name.status().Name}
}

// serialPorts are the ports that are there now.
func serialPorts() []string {
	list, err := link.ListSerial()
	if err != nil {
		return nil
	}
	var ports []string
	for _, d := range list {
		ports = append(ports, d.Path)
	}
	return ports
}

// state is what the page says.
func (a *app) state() web.State {
	info := a.provider.Info()
	state := web.State{Provider: info.Name + " " + info.Version, Waiting: a.bridge.State().Waiting, Problems: a.problems()}
	for _, l := range a.leases.Snapshot() {
		if l.Attached {
			state.Attached++
		} else {
			state.Detached++
		}
	}
	return state
}

// problems is what was wrong at the start, what the guard had to do before, and what
// the program survived.
func (a *app) problems() []string {
	all := slices.Clone(a.troubles)
	if a.guard != "" {
		all = append(all, "the guard was at work: "+a.guard)
	}
	if words := a.faults.words(); words != "" {
		all = append(all, "the bridge survived a "+words+". Please report it, with a support bundle")
	}
	return all
}

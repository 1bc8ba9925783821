package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/prompt64/prompt64/appliance/folders"
	"github.com/prompt64/prompt64/appliance/lease"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/supervisor"
	"github.com/prompt64/prompt64/appliance/workspace"
)

// startLeases puts the agent, its folders and the leases together.
func (a *app) startLeases() error {
	root, err := a.openRoot()
	if err != nil {
		return err
	}
	a.onClose(func(context.Context) error { return root.Close() })
	agent, release, err := a.makeAgent()
	if err != nil {
		return err
	}
	a.provider = agent
	a.onClose(func(context.Context) error { return errors.Join(agent.Close(), release()) })
	a.leases = lease.NewTable(lease.Config{
		Provider:   onTime{a.provider, a.clockTrouble},
		Workspaces: lease.FromRoot(root),
		Defaults:   a.leaseDefaults,
		Status:     a.statusRows,
		Log:        a.log.With("part", "lease"),
		Stuck:      supervisor.DefaultDeadline,
	})
	a.onClose(a.leases.Close)
	a.keepFolders(root.Dir())
	return nil
}

// leasesPart looks after the leases: each is one goroutine that may be stuck.
func (a *app) leasesPart() supervisor.Part {
	return supervisor.Part{
		Name: "leases", Deadline: supervisor.DefaultDeadline,
		Service: supervisor.Func(func(ctx context.Context) error { return a.leases.Tend(ctx, supervisor.Pet) }),
	}
}

// keepFolders lets the pages make and delete workspaces, where that is possible.
func (a *app) keepFolders(dir string) {
	keeper, err := folders.Open(dir, folders.Options{User: a.user, InUse: func(name string) bool {
		return slices.ContainsFunc(a.leases.Snapshot(), func(l lease.Info) bool {
			return l.Workspace == name || strings.HasPrefix(l.Workspace, name+"/")
		})
	}})
	if err != nil {
		a.trouble(err)
		return
	}
	a.keeper = keeper
	a.onClose(func(context.Context) error { return keeper.Close() })
}

// openRoot opens the folder of the workspaces. Where a device has none it gets
// one that stands in.
func (a *app) openRoot() (*workspace.Root, error) {
	options, err := a.inspecting()
	if err != nil {
		return nil, err
	}
	open := func(data, named string) (*workspace.Root, error) {
		dir, err := workspacesFolder(data, named, a.log)
		if err != nil {
			return nil, err
		}
		if err := a.user.Own(dir); err != nil {
			return nil, err
		}
		return workspace.OpenRoot(dir, options...)
	}
	root, err := open(a.data.path, a.options.workspaces)
	if err == nil || !a.options.device {
		return root, err
	}
	a.trouble(fmt.Errorf("%s (the workspaces are not in use)", diskWords(err)))
	spare, err := a.data.standIn()
	if err == nil {
		err = a.openToUser(spare)
	}
	if err != nil {
		return nil, err
	}
	return open(spare, "")
}

// makeAgent makes the provider. Where a device's cannot be made with the data
// folder, it is made with one that stands in, without what was stored.
func (a *app) makeAgent() (provider.Provider, func() error, error) {
	build := func(data string) (provider.Provider, func() error, error) {
		o := a.options.agent
		return makeProvider(setting{o, data, a.user, a.log.With("part", o.name)})
	}
	agent, release, err := build(a.data.path)
	if err == nil || !a.options.device {
		return agent, release, err
	}
	a.trouble(fmt.Errorf("%s (the agent starts without what it has stored)", diskWords(err)))
	spare, err := a.data.standIn()
	if err == nil {
		err = a.openToUser(spare)
	}
	if err != nil {
		return nil, nil, err
	}
	return build(spare)
}

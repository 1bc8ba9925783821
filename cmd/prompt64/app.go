package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"

	"github.com/prompt64/prompt64/appliance/bridge"
	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/lease"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/supervisor"
	"github.com/prompt64/prompt64/appliance/workspace"
)

// app is the running bridge: everything that serve puts together. What parts
// share and what must outlive their restarts is here.
type app struct {
	log      *slog.Logger
	options  serveOptions // with the settings filled in
	provider provider.Provider
	leases   *lease.Table
	settings *config.Store
	pairing  whoMayDrive
	bridge   *bridge.Server
	c64s     *door
	browsers *door
	serial   *serialLine // nil: there is none
	tree     *supervisor.Tree
	closers  []func(context.Context) error
}

// parts lists what runs, in the order of the start; the end goes backwards. A
// part that is not wanted has no service.
func (a *app) parts() []supervisor.Part {
	return []supervisor.Part{
		a.settingsPart(),
		a.bridgePart(),
		a.serialPart(),
		a.pagesPart(),
	}
}

// startApp starts everything, or leaves nothing behind.
func startApp(ctx context.Context, o serveOptions, log *slog.Logger) (*app, error) {
	a := &app{log: log}
	if err := a.start(o); err != nil {
		deadline, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
		defer cancel()
		_ = a.close(deadline)
		return nil, err
	}
	return a, nil
}

func (a *app) start(o serveOptions) error {
	data, err := openData(o.data)
	if err != nil {
		return err
	}
	a.onClose(func(context.Context) error { return data.close() })
	a.settings = openSettings(data.path, a.log)
	o.data = data.path
	o = o.withSettings(a.settings, a.log)
	if err := a.startLeases(o, data.path); err != nil {
		return err
	}
	a.options = o
	a.c64s = &door{what: "C64s", flag: "-listen", addr: o.listen}
	a.browsers = &door{what: "browsers", flag: "-web", addr: o.web}
	for _, d := range []*door{a.c64s, a.browsers} {
		if err := d.open(); err != nil {
			return err
		}
		a.onClose(func(context.Context) error { return d.close() })
	}
	a.makeSerial()
	a.makeBridge()
	a.startParts()
	return nil
}

// startParts starts what parts lists.
func (a *app) startParts() {
	a.tree = supervisor.New(a.log.With("part", "supervisor"))
	a.onClose(a.tree.Stop)
	for _, p := range a.parts() {
		if p.Service != nil {
			a.tree.Add(p)
		}
	}
}

// startLeases puts the agent, its folders and the leases together.
func (a *app) startLeases(o serveOptions, data string) error {
	dir, err := workspacesFolder(data, o.workspaces, a.log)
	if err != nil {
		return err
	}
	root, err := workspace.OpenRoot(dir)
	if err != nil {
		return err
	}
	a.onClose(func(context.Context) error { return root.Close() })
	agent, release, err := makeProvider(setting{o.agent, data, a.log.With("part", o.agent.name)})
	if err != nil {
		return err
	}
	a.provider = agent
	a.onClose(func(context.Context) error { return errors.Join(agent.Close(), release()) })
	a.leases = lease.NewTable(lease.Config{
		Provider:   a.provider,
		Workspaces: lease.FromRoot(root),
		Defaults:   a.leaseDefaults,
		Status:     a.settingsStatus,
		Log:        a.log.With("part", "lease"),
	})
	a.onClose(a.leases.Close)
	return nil
}

// wait returns when ctx is done, or with the error of a part that is needed and
// could not be kept running.
func (a *app) wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-a.tree.Failed():
		return err
	}
}

func (a *app) onClose(f func(context.Context) error) { a.closers = append(a.closers, f) }

// close ends everything in the opposite order of its start. Where something does
// not end it gives up when ctx is done.
func (a *app) close(ctx context.Context) error {
	done := make(chan error, 1)
	go func() {
		var errs []error
		for _, f := range slices.Backward(a.closers) {
			errs = append(errs, f(ctx))
		}
		done <- errors.Join(errs...)
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return fmt.Errorf("end: not everything ended in time: %w", ctx.Err())
	}
}

// closeListener closes a listener that its server may have closed already.
func closeListener(l net.Listener) error {
	if err := l.Close(); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

func (a *app) bridgeAddr() net.Addr { return a.c64s.address() }

func (a *app) webAddr() net.Addr { return a.browsers.address() }

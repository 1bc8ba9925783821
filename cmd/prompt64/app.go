package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/prompt64/prompt64/appliance/bridge"
	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/lease"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/web"
	"github.com/prompt64/prompt64/appliance/workspace"
)

// webShutdownTime is how long the end waits for answers to browsers.
const webShutdownTime = time.Second

// app is the running bridge: everything that serve puts together.
type app struct {
	log      *slog.Logger
	provider provider.Provider
	leases   *lease.Table
	settings *config.Store
	bridge   *bridge.Server
	c64s     net.Listener
	browsers net.Listener
	serial   net.Listener // nil: there is none

	serving sync.WaitGroup
	failed  chan error // what a listener ended with, if not by close
	closers []func(context.Context) error
}

// startApp starts everything, or leaves nothing behind.
func startApp(ctx context.Context, o serveOptions, log *slog.Logger) (*app, error) {
	a := &app{log: log, failed: make(chan error, 3)}
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
	if a.c64s, err = listen("C64s", "-listen", o.listen); err != nil {
		return err
	}
	a.onClose(func(context.Context) error { return closeListener(a.c64s) })
	if a.browsers, err = listen("browsers", "-web", o.web); err != nil {
		return err
	}
	a.onClose(func(context.Context) error { return closeListener(a.browsers) })
	if err := a.startSerial(o.serial); err != nil {
		return err
	}
	a.startBridge(o)
	a.startWeb()
	return nil
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

func (a *app) startBridge(o serveOptions) {
	pairing := bridge.NewPairing(o.pairing.code, o.pairing.allow)
	a.bridge = bridge.New(bridge.Config{
		Leases:  a.leases,
		Pairing: pairing,
		Log:     a.log.With("part", "bridge"),
	})
	a.onClose(a.bridge.Shutdown)
	if ip := a.c64s.Addr().(*net.TCPAddr).IP; !ip.IsLoopback() && o.pairing.code == "" {
		a.log.Warn("there is no pairing code: only addresses on the allow list get in", "set", codeVariable)
	}
	a.followSettings(o, pairing)
	a.run(func() error { return a.bridge.Serve(context.Background(), a.c64s) })
	if a.serial != nil {
		a.run(func() error { return a.bridge.ServePaired(context.Background(), a.serial) })
	}
}

func (a *app) startWeb() {
	port := portOf(a.c64s)
	pages := web.NewServer(web.Config{
		State:   a.state,
		Program: func(host string) ([]byte, error) { return configuredPRG(host, port, "") },
		Log:     a.log.With("part", "web"),
	})
	a.onClose(func(ctx context.Context) error {
		polite, cancel := context.WithTimeout(ctx, webShutdownTime)
		defer cancel()
		_ = pages.Shutdown(polite) // a browser that is slow is cut off
		return pages.Close()
	})
	a.run(func() error {
		if err := pages.Serve(a.browsers); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
}

// state is what the page says.
func (a *app) state() web.State {
	info := a.provider.Info()
	state := web.State{Provider: info.Name + " " + info.Version, Waiting: a.bridge.State().Waiting}
	for _, l := range a.leases.Snapshot() {
		if l.Attached {
			state.Attached++
		} else {
			state.Detached++
		}
	}
	return state
}

// run runs a server beside the others.
func (a *app) run(serve func() error) {
	a.serving.Go(func() {
		if err := serve(); err != nil {
			a.failed <- err
		}
	})
}

// wait returns when ctx is done, or with the error of a server that ended.
func (a *app) wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-a.failed:
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
		a.serving.Wait()
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

func (a *app) bridgeAddr() net.Addr { return a.c64s.Addr() }

func (a *app) webAddr() net.Addr { return a.browsers.Addr() }

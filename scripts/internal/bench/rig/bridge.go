// Package rig puts the real bridge on loopback with a provider that is moved by
// hand, and attaches bare clients to it.
//
// It keeps none of a C64's promises: a client here reads frames and looks at the
// clock, and does not reconnect, settle or check sequences.
package rig

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/prompt64/prompt64/appliance/bridge"
	"github.com/prompt64/prompt64/appliance/lease"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/appliance/workspace"
)

// Bridge is a bridge in this process.
type Bridge struct {
	Addr   string
	Fake   *providertest.Fake // nil with an agent of the caller's
	Leases *lease.Table

	agent  provider.Provider
	server *bridge.Server
	served chan error
	lines  []chan error // of ServeLine
	dir    string
	root   *workspace.Root
}

// patience ends what hangs.
const patience = 20 * time.Second

// Start makes a bridge with one empty workspace.
func Start(ctx context.Context) (*Bridge, error) {
	fake := providertest.NewFake()
	return start(ctx, fake, fake)
}

// StartWith makes a bridge with an agent of the caller's, which is closed with
// it.
func StartWith(ctx context.Context, agent provider.Provider) (*Bridge, error) {
	return start(ctx, agent, nil)
}

func start(ctx context.Context, agent provider.Provider, fake *providertest.Fake) (*Bridge, error) {
	dir, err := os.MkdirTemp("", "prompt64-bench-")
	if err != nil {
		return nil, fmt.Errorf("start bridge: %w", err)
	}
	b := &Bridge{Fake: fake, agent: agent, served: make(chan error, 1), dir: dir}
	if err := b.listen(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("start bridge: %w", err), os.RemoveAll(dir))
	}
	return b, nil
}

func (b *Bridge) listen(ctx context.Context) error {
	root, err := workspace.OpenRoot(b.dir)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return errors.Join(err, root.Close())
	}
	b.root = root
	b.Addr = listener.Addr().String()
	b.Leases = lease.NewTable(lease.Config{Provider: b.agent, Workspaces: lease.FromRoot(root)})
	b.server = bridge.New(bridge.Config{Leases: b.Leases, Pairing: bridge.NewPairing("", bridge.Loopback())})
	go func() { b.served <- b.server.Serve(ctx, listener) }()
	return nil
}

// ServeLine lets C64s in at a serial line too, until Close.
func (b *Bridge) ServeLine(l net.Listener) {
	served := make(chan error, 1)
	b.lines = append(b.lines, served)
	go func() { served <- b.server.ServePaired(context.Background(), l) }()
}

// Close ends the bridge and everything on it.
func (b *Bridge) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	err := b.server.Shutdown(ctx)
	for _, c := range append(b.lines, b.served) {
		if served := <-c; !errors.Is(served, bridge.ErrClosed) { // else it was shut down before it began
			err = errors.Join(err, served)
		}
	}
	return errors.Join(err, b.Leases.Close(ctx), b.agent.Close(), b.root.Close(), os.RemoveAll(b.dir))
}

// Turn lets a client begin a turn with a prompt, and gives the session in which
// it runs.
func (b *Bridge) Turn(ctx context.Context, begin func() error) (*providertest.FakeSession, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	n := b.Fake.Count(providertest.OpStart)
	if err := begin(); err != nil {
		return nil, err
	}
	call, err := b.Fake.Await(ctx, providertest.OpStart, n+1)
	if err != nil {
		return nil, fmt.Errorf("begin a turn: %w", err)
	}
	for !call.Session.Active() { // the call is recorded before it has its effect
		select {
		case <-time.After(time.Millisecond):
		case <-ctx.Done():
			return nil, fmt.Errorf("begin a turn: %w", ctx.Err())
		}
	}
	return call.Session, nil
}

// Detached waits until no client is attached any more.
func (b *Bridge) Detached(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		attached := false
		for _, info := range b.Leases.Snapshot() {
			attached = attached || info.Attached
		}
		if !attached {
			return nil
		}
		select {
		case <-time.After(time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("wait until the client is detached: %w", ctx.Err())
		}
	}
}

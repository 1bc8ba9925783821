package stage

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/bridge"
	"github.com/prompt64/prompt64/appliance/lease"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/demo"
	"github.com/prompt64/prompt64/appliance/workspace"
	"github.com/prompt64/prompt64/frames/framestest"
)

// patience ends what hangs; no outcome depends on it otherwise.
const patience = time.Minute

// stale is short, so that a lease whose line fell into a black hole is free
// soon; the protocol's six seconds are real ones.
const stale = 300 * time.Millisecond

// BridgeOptions change a Bridge. The zero value lets loopback in, to the demo.
type BridgeOptions struct {
	Agent    provider.Provider // instead of the demo; the Gate does not hold it
	Code     string            // with a code, loopback is not on the allow list
	Lifetime time.Duration     // of a detached lease; 0: the protocol's
	Stale    time.Duration     // silence that frees an attached lease; 0: 300 ms
	Line     *Line             // instead of the port of loopback
}

// Bridge is the real bridge with an agent, on a port of loopback or a serial line.
type Bridge struct {
	*Calls
	Gate *Gate
	Addr *net.TCPAddr
	Work string // the workspaces' root

	t     testing.TB
	table *lease.Table
}

// Open starts a bridge, for as long as the test runs.
func Open(t testing.TB, o BridgeOptions) *Bridge {
	t.Helper()
	b := &Bridge{Calls: &Calls{}, Gate: newGate(), Work: t.TempDir(), t: t}
	root, err := workspace.OpenRoot(b.Work, workspace.WithTimeout(patience))
	b.must(err)
	agent := o.Agent
	if agent == nil {
		agent, err = demo.New(demo.Config{DataDir: t.TempDir(), Sleep: b.Gate.sleep})
		b.must(err)
	}
	table := lease.NewTable(lease.Config{
		Provider:   counted{agent, b.Calls},
		Workspaces: lease.FromRoot(root),
		Lifetime:   o.Lifetime,
	})
	b.table = table
	pairing := bridge.NewPairing(o.Code, bridge.Loopback())
	if o.Code != "" {
		pairing.SetAllow(nil)
	}
	if o.Stale == 0 {
		o.Stale = stale
	}
	server := bridge.New(bridge.Config{Leases: table, Pairing: pairing, Stale: o.Stale})
	served := make(chan error, 1)
	b.serve(server, o.Line, served)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		for _, err := range []error{server.Shutdown(ctx), <-served, table.Close(ctx), agent.Close(), root.Close()} {
			if err != nil && !errors.Is(err, bridge.ErrClosed) { // a short test ends before it serves
				t.Errorf("stage: close the bridge: %v", err)
			}
		}
	})
	return b
}

// serve lets the bridge take connections.
func (b *Bridge) serve(server *bridge.Server, line *Line, served chan<- error) {
	b.t.Helper()
	if line != nil {
		go func() { served <- server.ServePaired(context.Background(), line.listener) }()
		b.t.Cleanup(func() { <-line.listener.Done() }) // behind the server's end, which closes it
		return
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	b.must(err)
	b.Addr = l.Addr().(*net.TCPAddr)
	go func() { served <- server.Serve(context.Background(), l) }()
}

func (b *Bridge) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatalf("stage: %v", err)
	}
}

// Forgets waits until the bridge has let every lease go. Its clock is the real one.
func (b *Bridge) Forgets() {
	b.t.Helper()
	for end := time.Now().Add(patience); len(b.table.Snapshot()) > 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			b.t.Fatal("stage: the bridge keeps a lease")
		}
	}
}

// Misses waits until the turn is over and the bridge has then heard nothing for so long
// that a lease may be taken from who holds it: what it sends is still acknowledged by
// a line that is dead. Its clock is the real one, and the C64's may be far faster.
func (b *Bridge) Misses() {
	b.t.Helper()
	missed := func(i lease.Info) bool { return i.Turn == "READY" && (i.Stale || !i.Attached) }
	for end := time.Now().Add(patience); !slices.ContainsFunc(b.table.Snapshot(), missed); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			b.t.Fatal("stage: the bridge misses nobody")
		}
	}
}

// Client is a scripted C64 on the bridge, connected, until the test ends.
func (b *Bridge) Client() *framestest.Client {
	b.t.Helper()
	c := framestest.New(framestest.Config{
		Dial: func(ctx context.Context) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "tcp", b.Addr.String())
		},
		Retry: 5 * time.Millisecond,
	})
	b.t.Cleanup(c.Close)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	b.must(c.Connect(ctx))
	return c
}

// Tell plays turns on a scripted C64, accepting what it is asked, and returns
// what that received.
func (b *Bridge) Tell(prompts ...string) framestest.Transcript {
	b.t.Helper()
	c := b.Client()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for _, p := range prompts {
		b.must(c.Prompt(p))
		for {
			ask, err := c.WaitApproval(ctx)
			if err != nil {
				break // the turn ended without another one
			}
			b.must(c.Decide(ask, 0))
			_, err = c.WaitDecided(ctx)
			b.must(err)
		}
		_, err := c.WaitEnd(ctx)
		b.must(err)
	}
	return c.Transcript()
}

// Mkdir makes a folder in the workspace, with those above it.
func (b *Bridge) Mkdir(name string) {
	b.t.Helper()
	b.must(os.MkdirAll(filepath.Join(b.Work, name), 0o755))
}

// Exists says whether a name is there in the workspace.
func (b *Bridge) Exists(name string) bool {
	_, err := os.Stat(filepath.Join(b.Work, name))
	return err == nil
}

// File is a file's content in the workspace, empty if there is none.
func (b *Bridge) File(name string) string {
	b.t.Helper()
	data, err := os.ReadFile(filepath.Join(b.Work, name))
	if err != nil && !os.IsNotExist(err) {
		b.t.Fatalf("stage: %v", err)
	}
	return strings.TrimSuffix(string(data), "\n")
}

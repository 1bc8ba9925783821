package memory

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/prompt64/prompt64/appliance/bridge"
	"github.com/prompt64/prompt64/appliance/lease"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/codex"
	"github.com/prompt64/prompt64/appliance/provider/codex/codextest"
	"github.com/prompt64/prompt64/appliance/provider/demo"
	"github.com/prompt64/prompt64/appliance/workspace"
)

// asChild makes this test's program serve as prompt64 does, in the way that its
// value says.
const asChild = "PROMPT64_BENCH_CHILD"

func TestMain(m *testing.M) {
	if len(os.Args) < 2 || os.Args[1] != "serve" { // a bridge hands the mark on
		codextest.Main()
	}
	mode := os.Getenv(asChild)
	if mode == "" {
		os.Exit(m.Run())
	}
	if err := serve(mode); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve is a small prompt64 serve with the demo agent.
func serve(mode string) error {
	if mode == "mute" {
		return errors.New("the port is taken")
	}
	if mode == "odd" {
		fmt.Println("listening somewhere")
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	dir, err := os.MkdirTemp("", "prompt64-bench-test-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	agent, err := agentOf(mode, filepath.Join(dir, "data"))
	if err != nil {
		return err
	}
	root, err := workspace.OpenRoot(dir)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	leases := lease.NewTable(lease.Config{Provider: agent, Workspaces: lease.FromRoot(root)})
	fmt.Printf("ready bridge=%s web=127.0.0.1:1\n", l.Addr())
	s := bridge.New(bridge.Config{Leases: leases, Pairing: bridge.NewPairing("", bridge.Loopback())})
	served := s.Serve(ctx, l)
	end := context.Background()
	return errors.Join(served, s.Shutdown(end), leases.Close(end), agent.Close(), root.Close())
}

// agentOf is the agent that a mode wants.
func agentOf(mode, data string) (provider.Provider, error) {
	if mode == "codex" {
		return codex.New(codex.Config{Argv: codextest.Argv(), Env: codextest.Env(), DataDir: data})
	}
	return demo.New(demo.Config{DataDir: data})
}

// self is this test's program, which will serve in a mode.
func self(t *testing.T, mode string) string {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(asChild, mode)
	return program
}

func TestOnceFillsEveryLeaseAndFindsItAgain(t *testing.T) {
	fresh, full, err := once(t.Context(), self(t, "serve"))
	if err != nil {
		t.Fatal(err)
	}
	// Nine logs of 64 KiB are in it, and what they were made from.
	if full.resident <= fresh.resident || full.peak < full.resident {
		t.Errorf("fresh %+v, full %+v", fresh, full)
	}
}

func TestStopEndsTheProcessAndTakesItsFolderAway(t *testing.T) {
	c, err := start(t.Context(), self(t, "serve"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(c.dir); err != nil {
		t.Fatal(err)
	}
	if err := c.stop(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(c.dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder: %v", err)
	}
	if nc, err := net.Dial("tcp", c.addr); err == nil {
		_ = nc.Close()
		t.Error("the process still serves")
	}
}

func TestAProcessThatIsNotReadySaysWhy(t *testing.T) {
	for mode, want := range map[string]string{"mute": "the port is taken", "odd": "is no ready line"} {
		if _, err := start(t.Context(), self(t, mode), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", mode, err)
		}
	}
}

func TestALeaseThatIsGoneIsNoticed(t *testing.T) {
	c, err := start(t.Context(), self(t, "serve"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.stop()
	client, k, err := talk(c.addr)
	if err != nil {
		t.Fatal(err)
	}
	if err := k.check(c.addr); err == nil {
		t.Error("a lease that is attached was taken up")
	}
	_ = client.Close()
	k.token[0] ^= 1
	if err := k.check(c.addr); err == nil {
		t.Error("a lease that never was was taken up")
	}
}

package main

import (
	"context"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/bridge"
	"github.com/prompt64/prompt64/appliance/leaks"
)

// testOptions are serve's on free ports, with a data folder that goes away.
func testOptions(t *testing.T) serveOptions {
	t.Helper()
	return serveOptions{
		data:    filepath.Join(t.TempDir(), "data"),
		listen:  "127.0.0.1:0",
		web:     "127.0.0.1:0",
		agent:   agentOptions{name: "demo"},
		pairing: pairingOptions{allow: bridge.Loopback()},
	}
}

var silent = slog.New(slog.NewTextHandler(io.Discard, nil))

func TestAppLeavesNothingBehind(t *testing.T) {
	defer leaks.None(t)
	o := testOptions(t)
	for range 2 {
		a, err := startApp(t.Context(), o, silent)
		if err != nil {
			t.Fatal(err)
		}
		nc, err := net.Dial("tcp", a.bridgeAddr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer nc.Close()
		if err := a.close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

func TestFailedStartLeavesNothingBehind(t *testing.T) {
	defer leaks.None(t)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	o := testOptions(t)
	o.web = taken.Addr().String()
	if _, err := startApp(t.Context(), o, silent); err == nil {
		t.Fatal("it started on a port that is in use")
	}
	o.web = "127.0.0.1:0" // the same data folder and its lock
	a, err := startApp(t.Context(), o, silent)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.close(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestListenerThatDiesIsOpenedAgainAtItsAddress(t *testing.T) {
	for name, of := range map[string]func(*app) *door{
		"bridge": func(a *app) *door { return a.c64s },
		"pages":  func(a *app) *door { return a.browsers },
	} {
		t.Run(name, func(t *testing.T) {
			defer leaks.None(t)
			a, err := startApp(t.Context(), testOptions(t), silent)
			if err != nil {
				t.Fatal(err)
			}
			d := of(a)
			at := d.address().String()
			for range 2 {
				dialed(t, at)
				died := restarts(a, name)
				if err := d.close(); err != nil {
					t.Fatal(err)
				}
				eventually(t, name+" started again", func() bool { return restarts(a, name) > died })
			}
			dialed(t, at)
			if s, ok := a.tree.LastTrouble(); !ok || s.Name != name {
				t.Errorf("last trouble %+v", s)
			}
			if err := a.close(t.Context()); err != nil {
				t.Errorf("close: %v", err)
			}
		})
	}
}

// dialed waits until somebody listens at an address.
func dialed(t *testing.T, at string) {
	t.Helper()
	eventually(t, at+" to be open", func() bool {
		nc, err := net.Dial("tcp", at)
		if err != nil {
			return false
		}
		return nc.Close() == nil
	})
}

// restarts is how often a part was started again.
func restarts(a *app, name string) int {
	for _, s := range a.tree.States() {
		if s.Name == name {
			return s.Restarts
		}
	}
	return -1
}

// eventually waits for a condition, for as long as a slow machine may take.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

func TestSignalEndsTheWaitWithoutAnError(t *testing.T) {
	a, err := startApp(t.Context(), testOptions(t), silent)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := a.wait(ctx); err != nil {
		t.Errorf("wait: %v", err)
	}
	if err := a.close(t.Context()); err != nil {
		t.Errorf("close: %v", err)
	}
}

package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/prompt64/prompt64/appliance/bridge"
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
	defer goleak.VerifyNone(t)
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
	defer goleak.VerifyNone(t)
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

func TestListenerThatDiesEndsTheProgramWithItsError(t *testing.T) {
	for name, listener := range map[string]func(*app) net.Listener{
		"bridge": func(a *app) net.Listener { return a.c64s },
		"web":    func(a *app) net.Listener { return a.browsers },
	} {
		t.Run(name, func(t *testing.T) {
			defer goleak.VerifyNone(t)
			a, err := startApp(t.Context(), testOptions(t), silent)
			if err != nil {
				t.Fatal(err)
			}
			listener(a).Close()
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			if err := a.wait(ctx); !errors.Is(err, net.ErrClosed) {
				t.Errorf("wait: %v", err)
			}
			if err := a.close(ctx); err != nil {
				t.Errorf("close: %v", err)
			}
		})
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

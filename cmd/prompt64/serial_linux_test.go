package main

import (
	"context"
	"net"
	"testing"

	"github.com/prompt64/prompt64/appliance/leaks"
	"github.com/prompt64/prompt64/appliance/link/linktest"
	"github.com/prompt64/prompt64/frames/framestest"
)

// A C64 at a serial line needs neither a code nor an address on the list, and
// what it asks is answered as over the network.
func TestC64AtASerialLineIsServed(t *testing.T) {
	defer leaks.None(t)
	pty, err := linktest.OpenPty()
	if err != nil {
		t.Fatal(err)
	}
	defer pty.Close()
	o := testOptions(t)
	o.pairing = pairingOptions{}
	o.serial = serialOptions{port: pty.Path, baud: 115200}
	a, err := startApp(t.Context(), o, silent)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	prefs := framestest.DefaultPrefs()
	prefs.Workspace = "welcome"
	c := framestest.New(framestest.Config{
		Prefs: prefs,
		Dial: func(ctx context.Context) (net.Conn, error) {
			return linktest.Dial(ctx, pty, linktest.Config{Baud: 115200})
		},
	})
	if err := c.Connect(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Turn(ctx, "/stream 200"); err != nil {
		t.Error(err)
	}
	if err := a.close(ctx); err != nil {
		t.Error(err)
	}
	c.Close()
	if v := c.Violations(); len(v) > 0 {
		t.Error(v)
	}
}

// A device starts without its adapter, and ends at once.
func TestAdapterThatIsNotThereKeepsNothingFromStarting(t *testing.T) {
	defer leaks.None(t)
	o := testOptions(t)
	o.serial = serialOptions{port: "/dev/ttyUSB99", baud: 38400}
	a, err := startApp(t.Context(), o, silent)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.close(t.Context()); err != nil {
		t.Error(err)
	}
}

package rig

import (
	"context"
	"testing"

	"github.com/prompt64/prompt64/appliance/leaks"
	"github.com/prompt64/prompt64/frames"
)

func TestMain(m *testing.M) { leaks.Main(m) }

func started(t *testing.T) *Bridge {
	t.Helper()
	b, err := Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

func TestATurnReachesTheSessionAndItsTextTheSocket(t *testing.T) {
	b := started(t)
	c, err := Attach(b.Addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	s, err := b.Turn(t.Context(), func() error { return c.Send(frames.UserText{Text: []byte("go")}) })
	if err != nil {
		t.Fatal(err)
	}
	s.Text("Hello there.")
	f, err := c.Frames.Next()
	if err != nil || f.Type != frames.TypeAssistantDelta {
		t.Errorf("%v, %v", f, err)
	}
}

func TestDetachedWaitsForTheLastClient(t *testing.T) {
	b := started(t)
	c, err := Attach(b.Addr)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if b.Detached(ctx) == nil {
		t.Error("an attached client counts as detached")
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if err := b.Detached(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestTheBridgesRefusalIsInTheError(t *testing.T) {
	b := started(t)
	c, err := Greet(b.Addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Ask(frames.Reconnect{}, new(frames.ReconnectState)); err == nil {
		t.Error("a lease that nobody has was taken up")
	}
}

package health_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/health"
)

func TestLastTroubleIsRememberedWhenItIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var state atomic.Uint32
		state.Store(uint32(health.OK))
		var log bytes.Buffer
		k := health.NewKeeper(health.New(
			probe("network", nil, func(context.Context) health.Node {
				return health.Node{State: health.State(state.Load()), Detail: "no address"}
			}),
			fixed("clock", health.Unknown, "network"),
		), slog.New(slog.NewTextHandler(&log, nil)), nil)
		look := func(s health.State) {
			state.Store(uint32(s))
			k.Look(t.Context())
		}
		if got := k.LastTrouble(); got != "none" {
			t.Errorf("at first: %q", got)
		}
		look(health.OK)
		if got := k.LastTrouble(); got != "none" {
			t.Errorf("while all is well: %q", got)
		}
		for range 3 {
			look(health.Fail)
		}
		if got := k.LastTrouble(); got != "NETWORK: no address" {
			t.Errorf("in trouble: %q", got)
		}
		look(health.OK)
		for _, c := range []struct {
			later time.Duration
			want  string
		}{{0, "moments"}, {5 * time.Minute, "5 min"}, {3 * time.Hour, "3 h"}, {72 * time.Hour, "3 days"}} {
			time.Sleep(c.later)
			look(health.OK)
			if got := k.LastTrouble(); got != "NETWORK, over for "+c.want+": no address" {
				t.Errorf("after %v: %q", c.later, got)
			}
		}
		if n := strings.Count(log.String(), "msg=trouble "); n != 1 {
			t.Errorf("trouble was logged %d times:\n%s", n, log.String())
		}
		if n := strings.Count(log.String(), "trouble is over"); n != 1 {
			t.Errorf("the end was logged %d times:\n%s", n, log.String())
		}
	})
}

func TestKeeperLooksByItselfUntilItIsToldToStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var looks, pets atomic.Int32
		k := health.NewKeeper(health.New(probe("a", nil, func(context.Context) health.Node {
			looks.Add(1)
			return health.Node{State: health.OK}
		})), nil, func(context.Context) time.Duration { pets.Add(1); return 5 * time.Second })
		if _, ok := k.Last(); ok {
			t.Error("there is a report before the first look")
		}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- k.Serve(ctx) }()
		synctest.Wait()
		if r, ok := k.Last(); !ok || r.Worst() != health.OK {
			t.Errorf("after the start: %+v, %v", r, ok)
		}
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		if n := looks.Load(); n < 5 || n > 20 {
			t.Errorf("%d looks in five minutes", n)
		}
		if pets.Load() < 60 {
			t.Errorf("%d pets in five minutes, of which each asks for the next within 5 s", pets.Load())
		}
		stop()
		if err := <-done; err != nil || k.String() == "" {
			t.Errorf("Serve returned %v", err)
		}
	})
}

func TestLookThatIsCutShortIsNotRemembered(t *testing.T) {
	k := health.NewKeeper(health.New(fixed("a", health.OK)), nil, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	k.Look(ctx)
	if _, ok := k.Last(); ok {
		t.Error("it was remembered")
	}
}

package stage

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestGateHoldsPausesUntilTheyMayPass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		if err := g.sleep(t.Context(), time.Hour); err != nil {
			t.Fatalf("an open gate: %v", err)
		}
		g.Shut()
		done := 0
		for range 3 {
			go func() {
				if g.sleep(context.Background(), 0) == nil {
					done++
				}
			}()
		}
		for _, step := range []struct {
			do                    func()
			wantDone, wantWaiting int
		}{
			{func() {}, 0, 3},
			{func() { g.Pass(1) }, 1, 2},
			{func() { g.Pass(1) }, 2, 1},
			{g.Open, 3, 0},
		} {
			step.do()
			synctest.Wait()
			if done != step.wantDone || g.Waiting() != step.wantWaiting {
				t.Fatalf("%d passed and %d wait, want %d and %d", done, g.Waiting(), step.wantDone, step.wantWaiting)
			}
		}
	})
}

func TestGateLetsACancelledTurnGo(t *testing.T) {
	g := newGate()
	g.Shut()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := g.sleep(ctx, 0); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

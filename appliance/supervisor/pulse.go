package supervisor

import (
	"context"
	"time"

	"github.com/prompt64/prompt64/appliance/hang"
)

// pulse carries the signs of life of one Serve to its watch.
type pulse struct {
	beats chan struct{}
	every time.Duration
	trap  string // for tests
}

type pulseKey struct{}

func withPulse(ctx context.Context, p *pulse) context.Context {
	return context.WithValue(ctx, pulseKey{}, p)
}

func pulseOf(ctx context.Context) *pulse {
	p, _ := ctx.Value(pulseKey{}).(*pulse)
	return p
}

// Pet tells the watch that the service whose context this is gets on, and returns
// PetEvery. It never blocks, and does nothing where nobody watches.
func Pet(ctx context.Context) time.Duration {
	if p := pulseOf(ctx); p != nil {
		hang.Here(p.trap)
		select {
		case p.beats <- struct{}{}:
		default: // one that was not looked at yet says as much
		}
	}
	return PetEvery(ctx)
}

// PetEvery is how often a service with nothing else to do should wake up and Pet.
func PetEvery(ctx context.Context) time.Duration {
	if p := pulseOf(ctx); p != nil && p.every > 0 {
		return p.every
	}
	return unending
}

// Rest waits for d and Pets meanwhile. It reports false when ctx is over before that.
func Rest(ctx context.Context, d time.Duration) bool {
	end := time.NewTimer(d)
	defer end.Stop()
	alive := time.NewTicker(PetEvery(ctx))
	defer alive.Stop()
	for {
		Pet(ctx)
		select {
		case <-end.C:
			return true
		case <-alive.C:
		case <-ctx.Done():
			return false
		}
	}
}

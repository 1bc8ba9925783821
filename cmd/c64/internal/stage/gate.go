package stage

import (
	"context"
	"sync"
	"time"
)

// Gate stands in the demo's pauses. It is open at first: a pause takes no time.
type Gate struct {
	mu      sync.Mutex
	changed chan struct{} // closed and replaced at every change
	shut    bool
	passes  int
	waiting int
}

func newGate() *Gate { return &Gate{changed: make(chan struct{})} }

// Shut holds all pauses from now on.
func (g *Gate) Shut() { g.set(func() { g.shut, g.passes = true, 0 }) }

// Pass lets n more pauses end.
func (g *Gate) Pass(n int) { g.set(func() { g.passes += n }) }

// Open ends all pauses, also those to come.
func (g *Gate) Open() { g.set(func() { g.shut = false }) }

// Waiting is how many pauses are held now.
func (g *Gate) Waiting() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.waiting
}

func (g *Gate) set(change func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	change()
	close(g.changed)
	g.changed = make(chan struct{})
}

// sleep is a pause of the demo; its length does not count.
func (g *Gate) sleep(ctx context.Context, _ time.Duration) error {
	g.mu.Lock()
	g.waiting++
	defer func() {
		g.waiting--
		g.mu.Unlock()
	}()
	for g.shut && g.passes == 0 {
		changed := g.changed
		g.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
		}
		g.mu.Lock()
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if g.shut {
		g.passes--
	}
	return ctx.Err()
}

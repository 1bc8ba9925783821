package lease

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/provider"
)

// broke gives up a lease for a fault in one of its goroutines.
func (l *lease) broke(err error) { l.table.lose(l, err.Error()) }

// lose gives up a lease whose goroutine is gone or does not turn. Its C64 is cut off
// and finds the lease expired, its agent is closed, and another lease may have the
// session then. The goroutine, should it ever wake up, finds nobody who listens.
func (t *Table) lose(l *lease, why string) {
	first := false
	var a *Attachment
	t.locked(func() {
		if first = !l.givenUp.Swap(true) && t.running[l]; first {
			t.remove(l)
			a = l.att
		}
	})
	if !first {
		return
	}
	l.stop()
	l.deafen()
	l.cancel()
	guarded.Go(l.name+"'s end", func() {
		defer t.ended(l)
		l.held.closeAll(func(s provider.Session) { l.closed(s.Close()) })
	}, nil)
	if a != nil {
		a.dead.Store(true)
		a.link.Kill()
	}
	l.slog.Error("lease given up", "reason", why)
}

// tended is what Tend remembers of a lease between two looks.
type tended struct {
	turns uint64
	looks int // in which it did not turn
}

// Tend looks after the leases until ctx is done: one that does not turn, although
// there is something to do, is given up. pet is called in its loop, and returns
// within which time it wants to be called again; it may be nil.
//
// Looks are counted and not time, so that a machine that stood still as a whole costs
// nobody a lease.
func (t *Table) Tend(ctx context.Context, pet func(context.Context) time.Duration) error {
	if pet == nil {
		pet = func(context.Context) time.Duration { return t.cfg.Stuck }
	}
	known := map[*lease]tended{}
	tick := time.NewTicker(t.cfg.Stuck / tendLooks)
	defer tick.Stop()
	for {
		alive := time.NewTimer(pet(ctx))
		select {
		case <-ctx.Done():
			alive.Stop()
			return nil
		case <-alive.C:
		case <-tick.C:
			known = t.tend(known)
		}
		alive.Stop()
	}
}

// tend looks once. Each lease gets something to do that costs nothing.
func (t *Table) tend(known map[*lease]tended) map[*lease]tended {
	var leases []*lease
	t.locked(func() { leases = slices.Collect(maps.Keys(t.running)) })
	now := make(map[*lease]tended, len(leases))
	for _, l := range leases {
		was, old := known[l]
		is := tended{turns: l.turns.Load()}
		if old && is.turns == was.turns && !l.ending.Load() {
			is.looks = was.looks + 1
		}
		if is.looks >= tendLooks {
			t.lose(l, fmt.Sprintf("its goroutine does not turn, for %v", t.cfg.Stuck))
			continue
		}
		select {
		case l.inbox <- message{do: func() {}}:
		default: // there is enough to do
		}
		now[l] = is
	}
	return now
}

// heldSessions are the provider's sessions that a lease has open, also those that its
// goroutine has not heard of yet.
type heldSessions struct {
	mu     sync.Mutex
	closed bool
	list   []provider.Session
}

// add notes a session; it reports false when the lease is given up, so that whoever
// opened it has to close it.
func (h *heldSessions) add(s provider.Session) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.closed {
		h.list = append(h.list, s)
	}
	return !h.closed
}

// take reports whether a session is still open, and that it is about to be closed.
func (h *heldSessions) take(s provider.Session) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := slices.Index(h.list, s)
	if i >= 0 {
		h.list = slices.Delete(h.list, i, i+1)
	}
	return i >= 0
}

// closeAll closes what is open, side by side, and takes nothing more.
func (h *heldSessions) closeAll(closing func(provider.Session)) {
	h.mu.Lock()
	list := h.list
	h.closed, h.list = true, nil
	h.mu.Unlock()
	var all sync.WaitGroup
	for _, s := range list {
		guarded.In(&all, "session's end", func() { closing(s) }, nil)
	}
	all.Wait()
}

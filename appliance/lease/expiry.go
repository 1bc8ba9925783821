package lease

import (
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/frames"
)

// detach ends a connection's hold on its lease and starts the lease's time. The
// message takes its place behind the requests that came before, a release above
// all.
func (t *Table) detach(a *Attachment) {
	t.locked(func() {
		if l := a.lease; l.att == a && !l.removed {
			t.leave(l)
		}
	})
	a.lease.send(message{att: a, detach: true})
}

// leave makes l detached. The caller holds mu.
func (t *Table) leave(l *lease) {
	l.att = nil
	l.left = t.now()
	left := l.left
	l.expiry = guarded.AfterFunc(t.cfg.Lifetime, l.name+"'s time", func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if l.att == nil && l.left == left {
			t.expire(l)
		}
	}, l.broke)
	if victim := t.ninth(); victim != nil {
		t.expire(victim)
	}
}

// ninth chooses the lease that has to go if more are detached than may be: the
// one without an active turn that was left first, or the one that was left
// first if all are active. The caller holds mu.
func (t *Table) ninth() *lease {
	var detached int
	var victim *lease
	for _, l := range t.leases {
		if l.att != nil || l == t.taking {
			continue
		}
		detached++
		if victim == nil || before(l, victim) {
			victim = l
		}
	}
	if detached <= frames.MaxDetachedLeases {
		return nil
	}
	return victim
}

// before says that a has to go before b.
func before(a, b *lease) bool {
	if x, y := a.active.Load(), b.active.Load(); x != y {
		return y
	}
	return a.left < b.left
}

// expire does what a SessionRelease does, without a frame. The caller holds mu.
func (t *Table) expire(l *lease) {
	if l.removed {
		return
	}
	t.remove(l)
	l.stop()
}

// now is the time since the table was made. time.Since uses the monotonic clock,
// so steps of the wall clock do not matter; nothing else here reads a clock.
func (t *Table) now() time.Duration { return time.Since(t.start) }

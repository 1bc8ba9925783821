package lease

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/frames"
)

// Table is all leases of a bridge. Its methods are safe for concurrent use. Its
// lock covers who holds what and nothing else; no call out is made under it but
// to a Link.
type Table struct {
	cfg Config

	start time.Time // what all durations are counted from

	mu       sync.Mutex
	closed   bool
	count    int               // leases ever made
	watches  int               // that are open
	leases   []*lease          // those with a valid token, oldest first
	running  map[*lease]bool   // those whose goroutine has not ended
	taking   *lease            // is being reconnected: no candidate for expiry
	sessions map[string]*lease // which lease holds a provider's session
}

// NewTable makes an empty table.
func NewTable(cfg Config) *Table {
	return &Table{cfg: cfg.withDefaults(), start: time.Now(), running: map[*lease]bool{}, sessions: map[string]*lease{}}
}

// ErrClosed is returned by Get and Reconnect after Close.
var ErrClosed = errors.New("lease: table is closed")

// locked calls f under the lock, which a panic in f lets go.
func (t *Table) locked(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f()
}

// Get makes a fresh lease and attaches link to it; its LeaseState is the first
// frame of Next. ErrFull if there is no room for another attachment.
func (t *Table) Get(link Link) (*Attachment, error) {
	var token frames.Token
	if _, err := io.ReadFull(t.cfg.Rand, token[:]); err != nil {
		return nil, fmt.Errorf("lease: make a token: %w", err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, ErrClosed
	}
	if err := t.admit(link); err != nil {
		return nil, err
	}
	t.count++
	l := newLease(t, t.count, token)
	t.leases = append(t.leases, l)
	t.running[l] = true
	a := newAttachment(l, link)
	l.att = a
	l.inbox <- message{att: a, attach: &attach{fresh: true}} // a new inbox has room
	guarded.Go(l.name, l.run, l.broke)
	return a, nil
}

// Reconnect attaches link to the lease that token names, if it is detached or
// its attachment is stale: then the older connection is killed first. Next hands
// out ReconnectState, the retained frames newer than applied, ReconnectDone,
// and lives on from there. ErrExpired, ErrInUse or ErrFull otherwise.
func (t *Table) Reconnect(token frames.Token, applied uint16, link Link) (*Attachment, error) {
	var a *Attachment
	var err error
	t.locked(func() { a, err = t.take(token, link) })
	if err != nil {
		return nil, err
	}
	a.lease.send(message{att: a, attach: &attach{applied: applied}})
	return a, nil
}

// take makes the lease of token link's. The caller holds mu.
func (t *Table) take(token frames.Token, link Link) (*Attachment, error) {
	if t.closed {
		return nil, ErrClosed
	}
	l := t.find(token)
	if l == nil {
		return nil, ErrExpired
	}
	if old := l.att; old != nil {
		if !old.link.Stale() {
			return nil, ErrInUse
		}
		old.dead.Store(true)
		old.link.Kill()
	} else {
		t.taking = l
		err := t.admit(link)
		t.taking = nil
		if err != nil {
			return nil, err
		}
	}
	if l.expiry != nil {
		l.expiry.Stop()
	}
	a := newAttachment(l, link)
	l.att = a
	return a, nil
}

// find compares token with all, in constant time. The caller holds mu.
func (t *Table) find(token frames.Token) *lease {
	var found *lease
	for _, l := range t.leases {
		if subtle.ConstantTimeCompare(l.token[:], token[:]) == 1 {
			found = l
		}
	}
	return found
}

// remove forgets a lease's token; its session stays held until the provider has
// closed it. The caller holds mu.
func (t *Table) remove(l *lease) {
	l.removed = true
	if l.expiry != nil {
		l.expiry.Stop()
	}
	t.leases = slices.DeleteFunc(t.leases, func(x *lease) bool { return x == l })
}

// release removes a lease at its own wish.
func (t *Table) release(l *lease) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.remove(l)
}

// ended says that l's goroutine, or whoever took its place, has closed the
// provider's session.
func (t *Table) ended(l *lease) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.running, l)
	for id, owner := range t.sessions {
		if owner == l {
			delete(t.sessions, id)
		}
	}
	l.depart()
}

// Close ends all leases and waits for their providers' sessions, until ctx is
// done.
func (t *Table) Close(ctx context.Context) error {
	var running []*lease
	t.locked(func() {
		t.closed = true
		running = slices.Collect(maps.Keys(t.running))
		for _, l := range running {
			t.remove(l)
			l.stop()
		}
	})
	for _, l := range running {
		select {
		case <-l.gone:
		case <-ctx.Done():
			return fmt.Errorf("lease: close: %w", ctx.Err())
		}
	}
	return nil
}

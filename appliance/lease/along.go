package lease

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// Errors of watches.
var (
	// ErrNoLease says that there is no such lease, or no longer.
	ErrNoLease = errors.New("lease: there is no such lease")
	// ErrWatched says that as many read along as may.
	ErrWatched = errors.New("lease: too many read along already")
	// ErrOver follows the last entry of a lease that ended.
	ErrOver = errors.New("lease: it has ended")
)

// Watch reads along what is said in a lease, and can do nothing else to it. It
// asks for entries as it can take them, so a slow reader costs the lease nothing:
// what is dropped from the bounded transcript meanwhile comes as one SaidMissed.
// Next is called by one goroutine at a time.
type Watch struct {
	lease *lease
	from  uint64
	close func()
}

// Watch begins to read along a lease from a position on; 0 is its beginning. A
// position beyond the end is the end. Close it.
func (t *Table) Watch(id int, from uint64) (*Watch, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.IndexFunc(t.leases, func(l *lease) bool { return l.id == id })
	switch {
	case i < 0:
		return nil, ErrNoLease
	case t.watches >= maxWatches:
		return nil, ErrWatched
	}
	t.watches++
	return &Watch{lease: t.leases[i], from: from, close: sync.OnceFunc(func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.watches--
	})}, nil
}

// Close ends the watch. It may be called more than once, but not while Next runs.
func (w *Watch) Close() { w.close() }

// Next waits for entries and returns them, oldest first: at least one, and
// not many at a time. ErrOver when the lease has ended and all is read.
func (w *Watch) Next(ctx context.Context) ([]Said, error) {
	return w.look(ctx, true)
}

// Transcript returns what is kept of what was said in a lease so far.
func (t *Table) Transcript(ctx context.Context, id int) ([]Said, error) {
	w, err := t.Watch(id, 0)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	var all []Said
	for {
		more, err := w.look(ctx, false)
		switch {
		case errors.Is(err, ErrOver), err == nil && len(more) == 0:
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("read a transcript: %w", err)
		}
		all = append(all, more...)
	}
}

// look asks the lease for entries; with wait it waits until there are some.
func (w *Watch) look(ctx context.Context, wait bool) ([]Said, error) {
	q := &look{from: w.from, wait: wait, reply: make(chan []Said, 1)}
	if !w.lease.send(message{look: q}) {
		return w.after()
	}
	select {
	case got := <-q.reply:
		return w.took(got), nil
	case <-ctx.Done():
		w.lease.post(func() { w.lease.lookers = remove(w.lease.lookers, q) })
		return nil, ctx.Err()
	case <-w.lease.stopped:
	}
	select { // the answer may have come in the same moment
	case got := <-q.reply:
		return w.took(got), nil
	default:
		return w.after()
	}
}

// after reads what a lease that ended left behind; nothing changes it any more. One
// that was given up left nothing: its goroutine may still be at it.
func (w *Watch) after() ([]Said, error) {
	if w.lease.givenUp.Load() {
		return nil, ErrOver
	}
	if got := w.took(w.lease.said.read(w.from)); len(got) > 0 {
		return got, nil
	}
	return nil, ErrOver
}

func (w *Watch) took(got []Said) []Said {
	if n := len(got); n > 0 {
		w.from = got[n-1].Next
	}
	return got
}

// look is a watch's question for entries.
type look struct {
	from  uint64
	wait  bool
	reply chan []Said // has room for one
}

// looked answers a question, or keeps it until something is said.
func (l *lease) looked(q *look) {
	q.from = min(q.from, l.said.next)
	got := l.said.read(q.from)
	if len(got) == 0 && q.wait {
		l.lookers = append(l.lookers, q)
		return
	}
	q.reply <- got
}

// showLookers answers the questions that wait, as far as something was said.
func (l *lease) showLookers() {
	if len(l.lookers) == 0 || l.shownTo == l.said.next {
		return
	}
	l.shownTo = l.said.next
	waiting := l.lookers
	l.lookers = nil
	for _, q := range waiting {
		l.looked(q)
	}
}

func remove(all []*look, q *look) []*look {
	return slices.DeleteFunc(all, func(x *look) bool { return x == q })
}

package supervisor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/thejerf/suture/v4"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/hang"
)

// Tree runs parts. Its methods are safe for concurrent use.
type Tree struct {
	log    *slog.Logger
	failed chan error

	mu       sync.Mutex
	stopping bool
	branches []*branch // in the order of their start
}

// branch is a part that was started.
type branch struct {
	watch  *watch
	cancel context.CancelFunc
	ended  chan struct{}
}

// New makes a Tree without parts; a nil log discards.
func New(log *slog.Logger) *Tree {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Tree{log: log, failed: make(chan error, 1)}
}

// Add starts a part. After Stop it does nothing.
func (t *Tree) Add(p Part) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.stopping {
		return
	}
	p.Deadline = bounded(p.Deadline)
	w := newWatch(p, t.log, t.giveUp)
	ctx, cancel := context.WithCancel(context.Background())
	b := &branch{watch: w, cancel: cancel, ended: make(chan struct{})}
	t.branches = append(t.branches, b)
	t.grow(ctx, b)
}

// grow runs a branch until ctx is done. Suture itself would be replaced as well.
func (t *Tree) grow(ctx context.Context, b *branch) {
	name := b.watch.part.Name
	s := suture.New(name, suture.Spec{
		EventHook:        t.event,
		FailureThreshold: inARow,
		FailureDecay:     decay.Seconds(),
		FailureBackoff:   pause,
		Timeout:          stopTime + grace,
	})
	s.Add(b.watch)
	run, cancel := context.WithCancel(ctx)
	guarded.Go("supervisor of "+name, func() {
		defer cancel()
		hang.Here("supervisor of " + name)
		_ = s.Serve(run) // ends with ctx alone
		close(b.ended)
	}, func(err error) {
		b.watch.failed(err)
		timer := time.NewTimer(pause)
		defer timer.Stop()
		select {
		case <-timer.C:
			t.grow(ctx, b)
		case <-ctx.Done():
			close(b.ended)
		}
	})
}

// Failed gives the error of the first needed part that was given up.
func (t *Tree) Failed() <-chan error { return t.failed }

func (t *Tree) giveUp(err error) {
	select {
	case t.failed <- err:
	default:
	}
}

// Stop stops the parts, the last one first. Each has some seconds; Stop returns
// early with an error when ctx is done, and the rest stops without being waited
// for.
func (t *Tree) Stop(ctx context.Context) error {
	t.mu.Lock()
	t.stopping = true
	branches := slices.Clone(t.branches)
	t.mu.Unlock()
	var errs []error
	for _, b := range slices.Backward(branches) {
		b.cancel()
		select {
		case <-b.ended:
			continue
		default:
		}
		select {
		case <-b.ended:
		case <-ctx.Done():
			errs = append(errs, fmt.Errorf("stop %s: %w", b.watch.part.Name, ctx.Err()))
		}
	}
	return errors.Join(errs...)
}

// States tells how the parts do, in the order of their start.
func (t *Tree) States() []State {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := make([]State, len(t.branches))
	for i, b := range t.branches {
		out[i] = b.watch.current()
	}
	return out
}

// LastTrouble is the state of the part that failed last; false: none ever did.
func (t *Tree) LastTrouble() (State, bool) {
	var last State
	for _, s := range t.States() {
		if s.At.After(last.At) {
			last = s
		}
	}
	return last, !last.At.IsZero()
}

// event logs what suture does, in suture's own goroutines.
func (t *Tree) event(e suture.Event) { guarded.Run("supervisor's log", func() { t.note(e) }, nil) }

func (t *Tree) note(e suture.Event) {
	switch e := e.(type) {
	case suture.EventServiceTerminate:
		t.log.Error("part failed", "name", e.ServiceName, "err", e.Err, "again", again(e.Restarting))
	case suture.EventServicePanic: // of the watch itself
		t.log.Error("part failed", "name", e.ServiceName, "panic", e.PanicMsg, "stack", e.Stacktrace, "again", again(e.Restarting))
	case suture.EventStopTimeout:
		t.log.Error("part did not stop", "name", e.ServiceName)
	}
}

func again(now bool) string {
	if now {
		return "at once"
	}
	return "after a pause"
}

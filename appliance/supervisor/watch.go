package supervisor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/thejerf/suture/v4"

	"github.com/prompt64/prompt64/appliance/guarded"
)

// watch is what suture runs in the place of a part's service.
type watch struct {
	part   Part
	log    *slog.Logger
	giveUp func(error) // tells the Tree that a needed part is given up

	mu       sync.Mutex
	state    State
	failures []time.Time // within FailureWindow
	started  bool
}

var _ suture.Service = (*watch)(nil)

func newWatch(p Part, log *slog.Logger, giveUp func(error)) *watch {
	return &watch{part: p, log: log, giveUp: giveUp, state: State{Name: p.Name}}
}

// String names the part for suture.
func (w *watch) String() string { return w.part.Name }

// errEnded is what a service fails with that gives no error.
var errEnded = errors.New("it ended by itself")

// Serve runs the service once.
func (w *watch) Serve(ctx context.Context) error {
	w.begin()
	err := w.attend(ctx)
	switch {
	case ctx.Err() != nil:
		w.rest()
		return ctx.Err()
	case errors.Is(err, ErrDone):
		w.rest()
		return err
	case err == nil:
		err = errEnded
	}
	if w.failed(err) {
		return err
	}
	err = fmt.Errorf("%s: given up after %d failures: %w", w.part.Name, w.part.Patience, err)
	w.log.Error("part given up", "name", w.part.Name, "err", err)
	if w.part.Needed {
		w.giveUp(err)
	}
	return ErrDone
}

// attend starts the service and returns when it has ended, when it is stuck, or
// when ctx is over and it had its time to stop.
func (w *watch) attend(ctx context.Context) error {
	p := &pulse{beats: make(chan struct{}, 1), every: w.part.Deadline / petsPer, trap: "part " + w.part.Name}
	inner, cancel := context.WithCancel(withPulse(ctx, p))
	defer cancel()
	done := make(chan error, 1)
	guarded.Go("part "+w.part.Name, func() { done <- w.part.Service.Serve(inner) }, func(err error) { done <- err })
	var late <-chan time.Time
	var timer *time.Timer
	if w.part.Deadline > 0 {
		timer = time.NewTimer(w.part.Deadline)
		defer timer.Stop()
		late = timer.C
	}
	for {
		select {
		case err := <-done:
			return err
		case <-p.beats:
			if timer != nil {
				timer.Reset(w.part.Deadline)
			}
		case <-late:
			cancel()
			err := fmt.Errorf("it was stuck: no sign of life for %v", w.part.Deadline)
			if !within(done, grace) {
				w.leave()
				err = fmt.Errorf("%w, and it did not let go", err)
			}
			return err
		case <-ctx.Done():
			if !within(done, stopTime) {
				w.leave()
				w.log.Error("part did not stop, left behind", "name", w.part.Name)
			}
			return ctx.Err()
		}
	}
}

func within(done <-chan error, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

func (w *watch) begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.started {
		w.state.Restarts++
	}
	w.started, w.state.Running = true, true
}

func (w *watch) rest() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.state.Running = false
}

func (w *watch) leave() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.state.Left++
}

// failed notes a failure; it reports whether the part may be started again.
func (w *watch) failed(err error) (again bool) {
	now := time.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.state.Running, w.state.Trouble, w.state.At = false, err.Error(), now
	if w.part.Patience == 0 {
		return true
	}
	recent := w.failures[:0]
	for _, t := range w.failures {
		if now.Sub(t) < FailureWindow {
			recent = append(recent, t)
		}
	}
	w.failures = append(recent, now)
	w.state.GivenUp = len(w.failures) >= w.part.Patience
	return !w.state.GivenUp
}

func (w *watch) current() State {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.state
}

package push

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prompt64/prompt64/appliance/update"
)

// watch follows an update to its end.
type watch struct {
	Options
	pages *pages
	seen  time.Time // when the device last got on
	words string    // the last thing that was noted
}

// run returns when the update has ended, or the device is away for too long.
func (w *watch) run(ctx context.Context) error {
	s, err := w.rest(ctx)
	if err != nil {
		return err
	}
	return w.end(s)
}

// runAfter is run for a bundle whose answer was lost. Before is how the update before
// it ended: when that is still the last one, the device never had the bundle.
func (w *watch) runAfter(ctx context.Context, before *update.Result, lost error) error {
	s, err := w.rest(ctx)
	switch {
	case err != nil:
		return errors.Join(lost, err)
	case same(before, s.Last):
		return lost
	}
	return w.end(s)
}

// same reports whether two results are of the same update.
func same(a, b *update.Result) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.At.Equal(b.At) && a.Outcome == b.Outcome && a.Version == b.Version && a.Reason == b.Reason
}

// rest waits until no update is under way.
func (w *watch) rest(ctx context.Context) (update.State, error) {
	for {
		s, err := w.pages.state(ctx)
		switch {
		case errors.Is(err, ErrPassword), errors.Is(err, ErrNoPassword):
			return s, err
		case err == nil && s.Ready && !s.Phase.Under():
			return s, nil
		case err == nil && s.Ready:
			w.follow(ctx, s)
		case time.Since(w.seen) > endTime:
			return s, fmt.Errorf("the device does not answer any more: %w", err)
		case err == nil:
			w.note("the device has started")
		default:
			w.note("the device starts again")
		}
		select {
		case <-time.After(pollEvery):
		case <-ctx.Done():
			return s, ctx.Err()
		}
	}
}

// follow tells what the device does.
func (w *watch) follow(ctx context.Context, s update.State) {
	w.seen = time.Now()
	words := string(s.Phase)
	if s.To != "" {
		words += " " + s.To
	}
	if s.Waits != "" && s.Phase != update.Trial {
		words += ", waits for " + s.Waits
		if w.Now {
			w.hurry(ctx)
		}
	}
	if s.Trouble != "" {
		words += ": " + s.Trouble
	}
	w.note(words)
}

// hurry lets the device wait no longer. If that fails it does so.
func (w *watch) hurry(ctx context.Context) {
	if token, err := w.pages.token(ctx, "/update"); err == nil {
		_, _, _, _ = w.pages.form(ctx, "/update/now", token, nil)
	}
}

func (w *watch) note(words string) {
	if words != w.words {
		w.words = words
		w.Note(words)
	}
}

// end tells how the update ended.
func (w *watch) end(s update.State) error {
	switch {
	case s.Last == nil:
		return errors.New("the device forgot the update")
	case s.Last.Outcome != update.Installed:
		return fmt.Errorf("%s was %s: %s", s.Last.Version, s.Last.Outcome, s.Last.Reason)
	case s.Running != s.Last.Version:
		return fmt.Errorf("%s answers, and %s was installed", s.Running, s.Last.Version)
	}
	w.Note(s.Running + " runs")
	return nil
}

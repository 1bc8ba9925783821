package codex

import (
	"fmt"
	"slices"
	"time"
)

// watcher looks after a turn in which nothing happens: a server that is silent,
// and one that tries for ever to reach its model. It only tells, but for the
// latter: a turn that waits for nothing but a network ends in words.
type watcher struct {
	silence     time.Duration
	unreachable time.Duration
	timer       *time.Timer
	activity    string // the note that stands
	label       string
	stuckSince  time.Time // the first retry without progress since
}

// start begins to watch a turn.
func (w *watcher) start(cfg Config) {
	*w = watcher{silence: cfg.Silence, unreachable: cfg.Unreachable, timer: time.NewTimer(cfg.Silence)}
}

// due is when to look.
func (w *watcher) due() <-chan time.Time {
	if w.timer == nil {
		return nil
	}
	return w.timer.C
}

// sign notes that the server lives.
func (w *watcher) sign(s *session) {
	if w.timer == nil {
		return
	}
	w.timer.Reset(w.silence)
	if t := s.current(); t != nil && w.activity != "" {
		s.endActivity(t, w.activity, w.label, true)
		w.activity = ""
	}
}

// touch begins the silence anew.
func (w *watcher) touch() {
	if w.timer != nil {
		w.timer.Reset(w.silence)
	}
}

// progress notes that the turn gets on.
func (w *watcher) progress() { w.stuckSince = time.Time{} }

// retrying notes that Codex has to try again.
func (w *watcher) retrying() {
	if w.stuckSince.IsZero() {
		w.stuckSince = time.Now()
	}
}

// stop ends the watch with its turn.
func (w *watcher) stop(s *session, done bool) {
	if w.timer != nil {
		w.timer.Stop()
		w.timer = nil
	}
	if t := s.current(); t != nil {
		s.endActivity(t, w.activity, w.label, done)
	}
	w.activity = ""
}

// watch is called when nothing came for a while.
func (s *session) watch() {
	w := &s.watcher
	t := s.current()
	if t == nil || w.timer == nil {
		return
	}
	w.timer.Reset(w.silence)
	if s.waitsForUser() || w.activity != "" {
		return
	}
	w.label = fmt.Sprintf("No sign of Codex for %d s. RUN/STOP ends the turn.", int(w.silence.Seconds()))
	if busy := t.busyWith(); busy != "" {
		w.label = fmt.Sprintf("Still at it, %d s without output: %s", int(w.silence.Seconds()), busy)
	}
	w.activity = s.startActivity(t, w.label)
}

// busyWith is what the turn waits for: the tool that was started last.
func (t *turn) busyWith() string {
	for _, id := range slices.Backward(t.order) {
		if o := t.items[id]; !o.ended {
			return o.label
		}
	}
	return ""
}

// giveUp ends a turn whose model cannot be reached, if that lasts too long.
func (s *session) giveUp(t *turn, reason string) {
	w := &s.watcher
	if w.stuckSince.IsZero() || time.Since(w.stuckSince) < w.unreachable || t.failure != "" {
		return
	}
	t.failure = "The model cannot be reached: " + reason
	s.interrupt(t)
}

// waitsForUser reports whether the turn waits for a decision: silence is right
// then.
func (s *session) waitsForUser() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.pending) > 0
}

package codex

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/hang"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// session is one thread. What the server says of it is done by one goroutine, in
// order, which alone owns the insides of the turn. The lock guards what calls
// from outside share with it, and is never held across a push or a call.
type session struct {
	srv   *server
	spec  provider.Spec
	queue *provider.Queue
	inbox *inbox
	quit  chan struct{} // closed when the session is over for good
	loop  sync.WaitGroup

	closing sync.Once

	mu      sync.Mutex
	thread  string // empty until the server named it
	stored  bool   // it had a turn, so that it can be resumed
	title   string
	turn    *turn // nil while idle
	dead    bool
	broken  bool            // its goroutine is gone
	foreign bool            // a turn runs that is not ours
	pending map[string]*ask // by approval ID, those that wait for Decide
	granted map[string]bool // accepted for the session, by key

	// Of the goroutine alone.
	watcher watcher
	nextID  int             // numbers approvals and activities
	seen    map[string]bool // notes that were shown once
}

var _ provider.Session = (*session)(nil)

func newSession(srv *server, spec provider.Spec) *session {
	s := &session{
		srv: srv, spec: spec,
		queue:   provider.NewQueue(0),
		inbox:   newInbox(),
		quit:    make(chan struct{}),
		pending: map[string]*ask{},
		granted: map[string]bool{},
		seen:    map[string]bool{},
	}
	guarded.In(&s.loop, "codex session", s.run, s.broke)
	return s
}

// run does what comes in.
func (s *session) run() {
	for {
		hang.Here("codex session")
		if do := s.inbox.take(); do != nil {
			do()
			continue
		}
		select {
		case <-s.inbox.wake:
		case <-s.watcher.due():
			s.watch()
		case <-s.quit:
			return
		}
	}
}

// ID implements provider.Session.
func (s *session) ID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.stored {
		return ""
	}
	return s.thread
}

// Title implements provider.Session.
func (s *session) Title() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.title
}

// Events implements provider.Session.
func (s *session) Events() <-chan provider.Event { return s.queue.Events() }

// Start implements provider.Session. It does not wait for the server: what goes
// wrong is the turn's end.
func (s *session) Start(ctx context.Context, prompt string, opts provider.TurnOptions) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if strings.TrimSpace(prompt) == "" {
		return errors.New("start turn: the prompt is empty") // a turn that costs all the same
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.dead:
		return provider.ErrClosed
	case s.turn != nil:
		return provider.ErrTurnActive // turn/start would steer the turn that runs
	}
	t := newTurn(s, prompt, opts)
	s.turn = t
	if s.title == "" {
		s.title = provider.Title(prompt)
	}
	s.stored = true
	s.inbox.post(func() { s.begin(t) })
	return nil
}

// Decide implements provider.Session.
func (s *session) Decide(ctx context.Context, approvalID string, d frames.Decision) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if d > frames.CancelTurn {
		return fmt.Errorf("decide: %d is no decision", d)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dead {
		return provider.ErrClosed
	}
	a := s.pending[approvalID]
	if a == nil {
		return provider.ErrApprovalGone
	}
	delete(s.pending, approvalID)
	if d == frames.AcceptForSession {
		for _, key := range a.keys {
			s.granted[key] = true
		}
		d = frames.AcceptOnce
	}
	if answer := a.answer(d); answer != nil {
		s.srv.c.respond(a.request, answer)
	}
	if d == frames.CancelTurn {
		s.cancelTurn()
	}
	s.inbox.post(s.watcher.touch)
	return nil
}

// Cancel implements provider.Session. A pending approval is gone with it, and
// is never answered.
func (s *session) Cancel(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.dead:
		return provider.ErrClosed
	case s.turn == nil:
		return provider.ErrNoTurn
	}
	s.cancelTurn()
	return nil
}

// cancelTurn asks the turn to end. The caller holds mu.
func (s *session) cancelTurn() {
	clear(s.pending)
	t := s.turn
	if t.cancelled {
		return
	}
	t.cancelled = true
	t.stop() // a push that waits for the reader
	s.inbox.post(func() { s.interrupt(t) })
}

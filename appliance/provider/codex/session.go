package codex

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

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
	foreign bool            // a turn runs that is not ours
	pending map[string]*ask // by approval ID, those that wait for Decide

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
		seen:    map[string]bool{},
	}
	s.loop.Go(s.run)
	return s
}

// run does what comes in.
func (s *session) run() {
	for {
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

// open starts the session's thread, or resumes it.
func (s *session) open(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, answerPatience)
	defer stop()
	method := "thread/start"
	if s.spec.SessionID != "" {
		method = "thread/resume"
		s.displace(s.spec.SessionID)
	}
	answer := make(chan *message, 1)
	s.srv.c.request(method, s.srv.p.cfg.paramsOf(s.spec), func(m *message) {
		// In the reader, so that nothing of the thread comes in between.
		if m.Error == nil {
			s.adopt(decode[struct{ Thread thread }](m.Result).Thread)
		}
		answer <- m
	})
	select {
	case m := <-answer:
		return s.opened(m)
	case <-ctx.Done():
		return fmt.Errorf("open session: codex does not answer: %w", ctx.Err())
	}
}

// opened judges the answer to open.
func (s *session) opened(m *message) error {
	if err := m.failure(); err != nil {
		switch {
		case errors.Is(err, errGone):
			return fmt.Errorf("open session: %w", s.srv.c.deathError())
		case noRollout(err):
			return fmt.Errorf("open session %s: %w (%v)", s.spec.SessionID, provider.ErrNoSession, err)
		}
		return openWords(s.spec.SessionID, err)
	}
	t := decode[struct{ Thread thread }](m.Result).Thread
	switch {
	case t.ID == "":
		return errors.New("open session: codex does not name its thread; its version may be too old")
	case s.spec.SessionID != "" && !t.inWorkspace(s.spec.Workspace):
		return fmt.Errorf("open session %s: it belongs to %s: %w", t.ID, t.Cwd, provider.ErrNoSession)
	}
	return nil
}

// adopt makes a thread the session's.
func (s *session) adopt(t thread) {
	if t.ID == "" {
		return
	}
	s.mu.Lock()
	if s.dead { // Open was given up meanwhile
		s.mu.Unlock()
		s.srv.c.request("thread/unsubscribe", map[string]any{"threadId": t.ID}, func(*message) {})
		return
	}
	s.thread, s.title = t.ID, t.title()
	s.stored = s.spec.SessionID != ""
	s.foreign = t.Status.Type == "active"
	s.mu.Unlock()
	s.srv.route(t.ID, s)
}

// displace closes the session that has a thread open, if there is one: a thread
// has one session.
func (s *session) displace(thread string) {
	if before := s.srv.session(thread); before != nil {
		_ = before.Close() // always nil
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

// Close implements provider.Session. What runs is ended first: a server that is
// killed under a command leaves litter in the workspace.
func (s *session) Close() error {
	s.closing.Do(s.shutDown)
	s.loop.Wait()
	s.queue.Close()
	return nil
}

// How long the steps of a Close may take; the sum stays below five seconds.
const (
	interruptGrace = 2 * time.Second
	leaveGrace     = time.Second
)

// shutDown ends the turn, the commands that it left, and the subscription. A
// server that does not end a turn is killed: nothing may go on unseen.
func (s *session) shutDown() {
	s.mu.Lock()
	s.dead = true
	clear(s.pending)
	t, thread := s.turn, s.thread
	if t != nil {
		s.cancelTurn()
	}
	s.mu.Unlock()
	if t != nil {
		timer := time.NewTimer(interruptGrace)
		select {
		case <-t.over:
		case <-timer.C:
			s.srv.p.cfg.Logger.Error("codex: a turn does not end; ending the server", "thread", thread)
			s.srv.c.t.kill()
		}
		timer.Stop()
	}
	if thread != "" {
		s.leave(thread)
		s.srv.unroute(thread, s)
	}
	close(s.quit)
	s.inbox.close()
	s.srv.p.forget(s)
}

// leave ends the commands that the thread left running and lets the server
// unload it.
func (s *session) leave(thread string) {
	ctx, stop := context.WithTimeout(context.Background(), leaveGrace)
	defer stop()
	params := map[string]any{"threadId": thread}
	for _, method := range []string{"thread/backgroundTerminals/clean", "thread/unsubscribe"} {
		if err := s.srv.c.call(ctx, method, params, nil); err != nil {
			s.srv.p.cfg.Logger.Debug("codex: leaving a thread", "error", err)
		}
	}
}

// serverDied ends the session with its server.
func (s *session) serverDied(err error) {
	s.mu.Lock()
	s.dead = true
	clear(s.pending)
	t := s.turn
	s.mu.Unlock()
	if t != nil {
		s.finish(t, provider.EndEvent{End: provider.EndFailed, Reason: err.Error()})
	}
	s.queue.Finish()
}

package codex

import (
	"context"
	"errors"
	"fmt"

	"github.com/prompt64/prompt64/appliance/provider"
)

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
	title := t.title()
	s.mu.Lock()
	if s.dead { // Open was given up meanwhile
		s.mu.Unlock()
		s.srv.c.request("thread/unsubscribe", map[string]any{"threadId": t.ID}, func(*message) {})
		return
	}
	s.thread, s.title = t.ID, title
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

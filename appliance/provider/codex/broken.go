package codex

import "github.com/prompt64/prompt64/appliance/provider"

// broke ends the session, and its turn, for a fault in its goroutine, which calls it.
// Other sessions of the server go on, so the server has to end the turn as well;
// Close waits for that.
func (s *session) broke(err error) {
	s.mu.Lock()
	s.dead, s.broken = true, true
	clear(s.pending)
	t, thread := s.turn, s.thread
	s.mu.Unlock()
	s.inbox.close() // or the reader would wait for room
	if t != nil {
		t.stop()
		s.put(provider.Failed(err))
		switch {
		case !t.sent: // the server does not know of it
			t.ended()
		case t.id != "":
			s.interruptFor(t, thread, t.id)
		default: // its name may be in what was just dropped
			s.lookFor(t, thread)
		}
	}
	s.queue.Finish()
}

// interruptFor ends the turn of a session whose goroutine is gone.
func (s *session) interruptFor(t *turn, thread, id string) {
	s.srv.c.request("turn/interrupt", map[string]any{"threadId": thread, "turnId": id}, func(m *message) {
		if m.Error != nil { // it ended meanwhile, or the server did
			t.ended()
		}
	})
}

// lookFor ends the turn that a thread has at work, if it has one.
func (s *session) lookFor(t *turn, thread string) {
	s.srv.c.request("thread/turns/list", map[string]any{"threadId": thread, "limit": 1}, func(m *message) {
		if id := latestAtWork(m); id != "" {
			s.interruptFor(t, thread, id)
			return
		}
		t.ended()
	})
}

// outlived takes, in the reader, what the server says to a session whose goroutine
// is gone: nothing is allowed, and the turn is to end. It is false for all others.
func (s *session) outlived(m *message, sc scope) bool {
	s.mu.Lock()
	broken, t, thread := s.broken, s.turn, s.thread
	s.mu.Unlock()
	switch {
	case !broken:
	case m.hasID():
		s.srv.c.refuse(m.ID, codeInvalidRequest, "the turn is over")
	case t == nil:
	case m.Method == "turn/started":
		s.interruptFor(t, thread, sc.TurnID)
	case m.Method == "turn/completed":
		t.ended()
	}
	return broken
}

package codex

import "github.com/prompt64/prompt64/appliance/provider"

// completed takes the server's end of a turn.
func (s *session) completed(t *turn, status string, e *turnError) {
	if t.ending {
		return
	}
	t.ending = true
	end := s.endOf(t, status, e)
	if end.End == provider.EndDone || len(t.commands) == 0 {
		s.finish(t, end)
		return
	}
	s.endCommands(t, func() { s.finish(t, end) })
}

// endOf judges how a turn ended.
func (s *session) endOf(t *turn, status string, e *turnError) provider.EndEvent {
	cancelled := s.isCancelled(t)
	switch {
	case t.failure != "":
		return provider.EndEvent{End: provider.EndFailed, Reason: t.failure}
	case status == "interrupted":
		return provider.EndEvent{End: provider.EndCancelled}
	case status == "failed" && cancelled:
		return provider.EndEvent{End: provider.EndCancelled}
	case status == "failed":
		if e == nil || e.Message == "" {
			e = t.lastError
		}
		if e == nil {
			e = &turnError{}
		}
		return provider.EndEvent{End: provider.EndFailed, Reason: e.words()}
	}
	return provider.EndEvent{End: provider.EndDone}
}

// finish closes what is open and tells the end. Nothing of the turn follows.
func (s *session) finish(t *turn, end provider.EndEvent) {
	if s.current() != t {
		return
	}
	s.closeItems(t, end.End == provider.EndDone)
	s.watcher.stop(s, end.End == provider.EndDone)
	s.srv.p.sawTurn(s.threadID())
	s.mu.Lock()
	s.turn = nil
	clear(s.pending)
	s.mu.Unlock()
	s.put(end)
	t.stop()
	t.ended()
}

package codex

// A thread on a server that is shared, or one that was left running by a bridge
// that died, may have a turn at work that is not ours. It is left alone until
// the user sends a prompt: turn/start would steer it, so it is ended first.

// foreignTurn reports whether such a turn runs.
func (s *session) foreignTurn() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.foreign
}

// setForeign notes what the server says of the thread while no turn of ours
// runs, and lets a turn go on that waits for that.
func (s *session) setForeign(active bool) {
	s.mu.Lock()
	before := s.foreign
	s.foreign = active
	t := s.turn
	s.mu.Unlock()
	if before && !active && t != nil && !t.sent {
		s.sendTurn(t)
	}
}

// latestAtWork reads of the answer to thread/turns/list which turn runs; empty: none.
func latestAtWork(m *message) string {
	list := decode[struct {
		Data []struct{ ID, Status string }
	}](m.Result).Data
	if len(list) == 0 || list[0].Status != "inProgress" {
		return ""
	}
	return list[0].ID
}

// endForeign ends the other turn; setForeign goes on when it is over.
func (s *session) endForeign(t *turn) {
	s.note(t, "Ending a turn that was left running")
	params := map[string]any{"threadId": s.threadID(), "limit": 1}
	s.srv.c.request("thread/turns/list", params, func(m *message) {
		id := latestAtWork(m)
		if id == "" {
			s.inbox.post(func() { s.setForeign(false) })
			return
		}
		s.srv.c.request("turn/interrupt", map[string]any{"threadId": s.threadID(), "turnId": id}, func(m *message) {
			if m.Error != nil && !m.gone { // it ended meanwhile
				s.inbox.post(func() { s.setForeign(false) })
			}
		})
	})
}

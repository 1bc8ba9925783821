package codex

import (
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
)

// terminateGrace is how long the end of a cancelled turn waits for its commands
// to be ended.
const terminateGrace = 1500 * time.Millisecond

// terminal is a command that runs in the background.
type terminal struct {
	ItemID    string `json:"itemId"`
	ProcessID string `json:"processId"`
}

// endCommands ends what an interrupted turn left running, then calls done: an
// interrupt ends the turn and not its commands. Commands of earlier turns are
// left alone. A server that does not answer is not waited for.
func (s *session) endCommands(t *turn, done func()) {
	called := false
	once := func() {
		if !called {
			called = true
			s.sweep(t)
			done()
		}
	}
	guarded.AfterFunc(terminateGrace, "codex commands' time", func() { s.inbox.post(once) }, nil)
	params := map[string]any{"threadId": s.threadID()}
	s.srv.c.request("thread/backgroundTerminals/list", params, func(m *message) {
		s.inbox.post(func() {
			list := decode[struct{ Data []terminal }](m.Result).Data
			s.terminate(t, list, once)
		})
	})
}

// sweep ends by force what the server did not: a command that was being started
// when the interrupt came is in no list.
func (s *session) sweep(t *turn) {
	p, local := s.srv.c.t.(*process)
	if !local || s.srv.p.cfg.Remote {
		return
	}
	if n := sweepCommands(p.run, s.threadID(), t.commands); n > 0 {
		s.srv.p.cfg.Logger.Info("codex: commands were ended by force", "processes", n)
	}
}

// terminate ends the turn's own commands of a list.
func (s *session) terminate(t *turn, list []terminal, done func()) {
	open := 0
	for _, one := range list {
		if !t.commands[one.ItemID] {
			continue
		}
		open++
		params := map[string]any{"threadId": s.threadID(), "processId": one.ProcessID}
		s.srv.c.request("thread/backgroundTerminals/terminate", params, func(*message) {
			s.inbox.post(func() {
				if open--; open == 0 {
					done()
				}
			})
		})
	}
	if open == 0 {
		done()
	}
}

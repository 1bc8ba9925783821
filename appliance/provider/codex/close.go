package codex

import (
	"context"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
)

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
		case <-s.srv.c.dead:
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
		s.finish(t, provider.Failed(err))
	}
	s.queue.Finish()
}

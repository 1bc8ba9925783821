package acp

import (
	"context"
	"errors"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/transcript"
)

// boot starts the agent beside everything else, unless it runs or starts already.
func (s *session) boot() *start {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dead {
		return nil
	}
	if st := s.start; st != nil {
		select {
		case <-st.done:
			if st.err == nil {
				return st
			}
		default:
			return st
		}
	}
	st := &start{done: make(chan struct{}), err: errNoStart}
	s.start = st
	guarded.In(&s.work, "agent's start", func() {
		st.run(s.wake)
		if st.err != nil && s.life.Err() == nil {
			s.p.cfg.Logger.Warn("the agent did not start", "error", st.err)
		}
		if st.err == nil {
			<-st.agent.done
			s.died()
		}
	}, s.broke)
	return st
}

// errNoStart is the result of a start that was never over.
var errNoStart = errors.New("the start of the agent broke off")

// run starts the agent. A fault in that is a failed start, which may be tried again.
func (st *start) run(wake func() (*agent, error)) {
	defer close(st.done)
	st.err = guarded.Call("agent's start", func() (err error) {
		st.agent, err = wake()
		return err
	})
}

// agent waits for the agent, which is started again if its last start failed.
func (s *session) agent(ctx context.Context) (*agent, error) {
	st := s.boot()
	if st == nil {
		return nil, provider.ErrClosed
	}
	select {
	case <-st.done:
		return st.agent, st.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// running is the agent if it runs by now.
func (s *session) running() *agent {
	s.mu.Lock()
	st := s.start
	s.mu.Unlock()
	if st == nil {
		return nil
	}
	select {
	case <-st.done:
		if st.err == nil && !st.agent.dead() {
			return st.agent
		}
	default:
	}
	return nil
}

// wake starts the agent and brings a stored session back.
func (s *session) wake() (*agent, error) {
	a := s.p.spare.take(s.spec.Workspace)
	if a == nil {
		var err error
		if a, err = s.p.start(s.life, s.spec.Workspace); err != nil {
			return nil, err
		}
	}
	a.tell(s)
	if err := guarded.Call("agent's session", func() error { return s.recall(a) }); err != nil {
		a.close()
		return nil, err
	}
	return a, nil
}

// recall reopens the agent's session of a stored one. An agent that cannot gets a
// new one, and is told with the next prompt what was said.
func (s *session) recall(a *agent) error {
	rec := s.record()
	if !s.stored {
		return nil // its first prompt may have made a record by now
	}
	var id string
	var said int // a turn that begins just now does not count
	s.p.store.View(rec, func(r *transcript.Record) { id, said = r.Agent, len(r.History()) })
	err := errForgotten
	if id != "" {
		err = a.reopen(s.life, s.spec.Workspace, id, s.replay != nil)
	}
	switch {
	case err == nil && s.replay != nil:
		s.keepReplay(rec)
		return nil
	case err == nil:
		return nil
	case errors.Is(err, errSignIn):
		return s.p.cfg.signInWords(a.hello.AuthMethods, err)
	case a.dead() || s.life.Err() != nil, said == 0 && id != "":
		return err
	}
	s.p.cfg.Logger.Info("the agent does not bring its session back", "session", id, "error", err)
	s.mu.Lock()
	s.tell = said > 0
	s.mu.Unlock()
	return nil
}

// keepReplay stores what a foreign session said.
func (s *session) keepReplay(rec *transcript.Record) {
	turns := s.replay.take()
	s.p.store.Update(rec, func(r *transcript.Record) {
		r.Turns = turns
		if r.Title == "" && len(turns) > 0 {
			r.Title = provider.Title(turns[0].Prompt)
		}
	})
	s.p.store.Save(rec)
}

// died takes the agent's end. A turn that runs tells it with its own.
func (s *session) died() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone = true
	if s.turn == nil {
		s.dead = true
		s.queue.Finish()
	}
}

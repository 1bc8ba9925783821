package acp

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/transcript"
	"github.com/prompt64/prompt64/frames"
)

// quitTime is how long a turn that is cut by Close may take to end by itself, so
// that the agent can end its commands.
const quitTime = time.Second

// session is one conversation. Its lock is never held while the agent or the
// reader of the events is waited for.
type session struct {
	p     *Provider
	spec  provider.Spec
	queue *provider.Queue
	life  context.Context // ends with Close, or with the agent's death
	kill  context.CancelFunc
	work  sync.WaitGroup
	begun time.Time
	heard atomic.Int64 // when the agent was heard last, since begun

	stream atomic.Pointer[turn] // that takes updates; nil between prompts
	stored bool                 // it was opened by its ID
	replay *replay              // collects a foreign session's past while it loads

	closing sync.Once
	mu      sync.Mutex
	rec     *transcript.Record // nil until the first turn
	start   *start             // the latest start of the agent
	failed  time.Time          // when the agent answered a prompt with an error last
	tell    bool               // the agent does not know what was said: tell it
	turn    *turn              // nil while idle
	dead    bool
	gone    bool // the agent died in a turn that is about to end
	nextID  int
	pending map[string]*pending // approvals by ID
	granted map[string]bool     // accepted for the session, by what the user saw
}

// start is one start of the agent.
type start struct {
	done  chan struct{}
	agent *agent
	err   error
}

var (
	_ provider.Session = (*session)(nil)
	_ listener         = (*session)(nil)
)

func newSession(p *Provider, spec provider.Spec, rec *transcript.Record, foreign bool) *session {
	life, kill := context.WithCancel(context.Background())
	s := &session{
		p: p, spec: spec, rec: rec,
		queue: provider.NewQueue(0),
		life:  life, kill: kill,
		begun:   time.Now(),
		stored:  rec != nil,
		pending: map[string]*pending{},
		granted: map[string]bool{},
	}
	if foreign {
		s.replay = &replay{}
	}
	return s
}

// ID implements provider.Session.
func (s *session) ID() string {
	if rec := s.record(); rec != nil {
		return rec.ID
	}
	return ""
}

// Title implements provider.Session.
func (s *session) Title() string {
	if rec := s.record(); rec != nil {
		return rec.Title
	}
	return ""
}

func (s *session) record() *transcript.Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rec
}

// History implements provider.Session. It waits for the agent only where the
// past is the agent's alone.
func (s *session) History(ctx context.Context) ([]provider.Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	rec := s.record()
	if rec == nil {
		return nil, nil
	}
	if s.replay != nil {
		if _, err := s.agent(ctx); err != nil {
			return nil, fmt.Errorf("read history: %w", err)
		}
	}
	var entries []provider.Entry
	s.p.store.View(rec, func(r *transcript.Record) { entries = r.History() })
	return entries, nil
}

// Events implements provider.Session.
func (s *session) Events() <-chan provider.Event { return s.queue.Events() }

// Start implements provider.Session. The context is for the call alone.
func (s *session) Start(ctx context.Context, prompt string, opts provider.TurnOptions) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.dead:
		return provider.ErrClosed
	case s.turn != nil:
		return provider.ErrTurnActive
	}
	if s.rec == nil {
		s.rec = s.p.store.Create(s.spec.Workspace, provider.Title(prompt))
	}
	t := newTurn(s, prompt, opts)
	s.turn = t
	guarded.In(&s.work, "agent's turn", t.run, s.broke)
	return nil
}

// broke ends the session, and a turn that runs, for a fault. Close ends the agent.
func (s *session) broke(err error) {
	s.stream.Store(nil)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dead = true
	clear(s.pending)
	if s.turn != nil {
		s.turn = nil
		_ = s.queue.Put(provider.Failed(err))
	}
	s.queue.Finish()
	s.kill()
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
	if s.dead {
		s.mu.Unlock()
		return provider.ErrClosed
	}
	a := s.pending[approvalID]
	if a == nil {
		s.mu.Unlock()
		return provider.ErrApprovalGone
	}
	if d == frames.CancelTurn {
		s.mu.Unlock()
		return s.cancelTurn(approvalID)
	}
	delete(s.pending, approvalID)
	if d == frames.AcceptForSession {
		s.granted[a.call.grant()] = true
	}
	s.touch()
	s.mu.Unlock()
	a.settle(d)
	return nil
}

// Cancel implements provider.Session.
func (s *session) Cancel(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.cancelTurn("")
}

// cancelTurn ends the turn that runs, and its approvals at once. With an approval
// it does so only if that is pending still.
func (s *session) cancelTurn(approvalID string) error {
	s.mu.Lock()
	t := s.turn
	switch {
	case s.dead:
		s.mu.Unlock()
		return provider.ErrClosed
	case approvalID != "" && s.pending[approvalID] == nil:
		s.mu.Unlock()
		return provider.ErrApprovalGone
	case t == nil:
		s.mu.Unlock()
		return provider.ErrNoTurn
	}
	answers, send := s.cut(t)
	s.mu.Unlock()
	for _, a := range answers {
		a.cancel()
	}
	if send != nil {
		send.cancel()
	}
	return nil
}

// cut marks a turn as cancelled and takes its approvals. The agent is to be told
// if it has the prompt; else it is when it gets it. The caller holds mu.
func (s *session) cut(t *turn) (answers []*pending, send *agent) {
	answers = s.clear()
	t.cancelled = true
	t.cancel()
	if t.sent {
		send = t.agent
	}
	return answers, send
}

// clear takes all pending approvals away. The caller holds mu.
func (s *session) clear() []*pending {
	var all []*pending
	for id, a := range s.pending {
		all = append(all, a)
		delete(s.pending, id)
	}
	return all
}

// promptSent implements listener: a cancel may follow the prompt now.
func (s *session) promptSent() {
	s.mu.Lock()
	t := s.turn
	cancelled := false
	if t != nil {
		t.sent, cancelled = true, t.cancelled
	}
	s.mu.Unlock()
	if cancelled {
		t.agent.cancel()
	}
}

// promptAnswered implements listener: what comes now belongs to no turn.
func (s *session) promptAnswered() {
	s.touch()
	s.stream.Store(nil)
}

// refused implements listener.
func (s *session) refused(method string) {
	if t := s.stream.Load(); t != nil {
		t.note("Refused a request: "+method, false)
	}
}

// withdrawn implements listener: the agent takes a question back.
func (s *session) withdrawn(id json.RawMessage) {
	s.mu.Lock()
	var found *pending
	for key, a := range s.pending {
		if string(a.rpcID) == string(id) {
			found = a
			delete(s.pending, key)
		}
	}
	s.mu.Unlock()
	if found != nil {
		found.cancel()
		_ = s.queue.Put(provider.ApprovalGoneEvent{ID: found.id, Reason: "the agent no longer asks"})
	}
}

// touch notes that the agent, or the user, was heard.
func (s *session) touch() { s.heard.Store(int64(time.Since(s.begun))) }

// number makes an ID that is unique in the session.
func (s *session) number(kind string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nextID++
	return fmt.Sprintf("%s-%d", kind, s.nextID)
}

// Close implements provider.Session. A turn is asked to end first, so that the
// agent can end what it runs.
func (s *session) Close() error {
	s.mu.Lock()
	s.dead = true
	t, st := s.turn, s.start
	var answers []*pending
	var send *agent
	if t != nil {
		answers, send = s.cut(t)
	}
	s.mu.Unlock()
	for _, a := range answers {
		a.cancel()
	}
	if send != nil {
		send.cancel()
		t.wait(quitTime)
	}
	s.kill()
	if st != nil {
		<-st.done
		if st.agent != nil {
			st.agent.close()
		}
	}
	s.work.Wait()
	s.queue.Close()
	s.closing.Do(func() {
		if rec := s.record(); rec != nil {
			s.p.store.Drop(rec)
		}
		s.p.forget(s)
	})
	return nil
}

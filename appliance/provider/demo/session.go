package demo

import (
	"context"
	"fmt"
	"sync"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/transcript"
	"github.com/prompt64/prompt64/frames"
)

// session is one conversation. A turn is a goroutine that talks through the
// queue; the session's lock is never held while it does.
type session struct {
	p     *Provider
	spec  provider.Spec
	queue *provider.Queue
	life  context.Context // ends with Close, or with the agent's death
	kill  context.CancelFunc
	turns sync.WaitGroup

	closing sync.Once
	mu      sync.Mutex
	rec     *transcript.Record // nil until the first turn
	turn    *turn              // nil while idle
	dead    bool
	nextID  int                          // numbers approvals and activities
	pending map[string]*pendingApproval  // that wait for Decide
	granted map[frames.ApprovalKind]bool // accepted for the session
}

// pendingApproval is an approval that the turn waits for.
type pendingApproval struct {
	kind   frames.ApprovalKind
	answer chan frames.Decision // holds one
}

var _ provider.Session = (*session)(nil)

func newSession(p *Provider, spec provider.Spec, rec *transcript.Record) *session {
	life, kill := context.WithCancel(context.Background())
	return &session{
		p: p, spec: spec, rec: rec,
		queue: provider.NewQueue(0),
		life:  life, kill: kill,
		pending: map[string]*pendingApproval{},
		granted: map[frames.ApprovalKind]bool{},
	}
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

// History implements provider.Session. What a cancelled or a failed turn said
// stays, with a note of its end.
func (s *session) History(ctx context.Context) ([]provider.Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	rec := s.record()
	if rec == nil {
		return nil, nil
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
	t := &turn{s: s, rec: s.rec, opts: opts, stored: &transcript.Turn{Prompt: transcript.Cut(prompt, transcript.MaxAnswer)}}
	t.ctx, t.cancel = context.WithCancel(s.life)
	s.turn = t
	guarded.In(&s.turns, "demo turn", func() { t.run(prompt) }, s.broke)
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
	switch d {
	case frames.AcceptForSession:
		s.granted[a.kind] = true
	case frames.CancelTurn:
		s.cancelTurn()
	}
	a.answer <- d // never blocks: it has room for the one decision
	return nil
}

// Cancel implements provider.Session.
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

// cancelTurn ends the turn's context; its approvals are gone at once, so that a
// decision that comes too late cannot be taken. The caller holds mu.
func (s *session) cancelTurn() {
	clear(s.pending)
	s.turn.cancel()
}

// Close implements provider.Session.
func (s *session) Close() error {
	s.die()
	s.turns.Wait()
	s.queue.Close()
	s.closing.Do(func() {
		if rec := s.record(); rec != nil {
			s.p.store.Drop(rec)
		}
		s.p.forget(s)
	})
	return nil
}

// die refuses further calls and ends what runs.
func (s *session) die() {
	s.mu.Lock()
	s.dead = true
	clear(s.pending)
	s.mu.Unlock()
	s.kill()
}

// broke ends the session, and its turn, for a fault.
func (s *session) broke(err error) {
	s.die()
	_ = s.queue.Put(provider.Failed(err))
	s.queue.Finish()
}

// number makes an ID that is unique in the session.
func (s *session) number(kind string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nextID++
	return fmt.Sprintf("%s-%d", kind, s.nextID)
}

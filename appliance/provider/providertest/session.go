package providertest

import (
	"context"
	"strings"
	"sync"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// FakeSession is a session of a Fake, moved by hand.
//
// Unless a test says otherwise, Cancel ends the turn as cancelled, Decide
// takes a pending approval and pushes nothing, and Close closes the channel of
// events.
type FakeSession struct {
	fake  *Fake
	spec  provider.Spec
	queue *provider.Queue

	mu           sync.Mutex
	id           string
	active       bool
	prompt       string
	said         strings.Builder
	pending      map[string]bool
	ignoreCancel bool
	dead         bool
}

var _ provider.Session = (*FakeSession)(nil)

func newFakeSession(f *Fake, spec provider.Spec) *FakeSession {
	return &FakeSession{
		fake:    f,
		spec:    spec,
		id:      spec.SessionID,
		queue:   provider.NewQueue(0),
		pending: map[string]bool{},
	}
}

// Spec is what the session was opened with.
func (s *FakeSession) Spec() provider.Spec { return s.spec }

// Active reports whether a turn runs.
func (s *FakeSession) Active() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.active
}

// IgnoreCancel makes Cancel return without an effect, as an agent that is stuck.
func (s *FakeSession) IgnoreCancel(ignore bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ignoreCancel = ignore
}

// Push sends events in their order and never waits. They are sent as they are,
// even if no turn runs. After Close or Die they are dropped.
func (s *FakeSession) Push(events ...provider.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.push(events...)
}

// Text pushes a piece of the answer.
func (s *FakeSession) Text(text string) { s.Push(provider.TextEvent{Text: text}) }

// Ask pushes an approval with one line of detail.
func (s *FakeSession) Ask(id string, kind frames.ApprovalKind, summary string) {
	s.Push(provider.ApprovalEvent{
		ID: id, Kind: kind, Summary: summary,
		Detail: []provider.DetailLine{{Kind: frames.LineContext, Text: summary}},
	})
}

// End pushes the end of the turn.
func (s *FakeSession) End(end provider.End, reason string) {
	s.Push(provider.EndEvent{End: end, Reason: reason})
}

// Die lets the agent die: a turn that runs fails with reason, and the channel
// of events is closed once it was read.
func (s *FakeSession) Die(reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.active {
		s.push(provider.EndEvent{End: provider.EndFailed, Reason: reason})
	}
	s.dead = true
	s.queue.Finish()
}

// push queues events and follows what they mean. The caller holds mu.
func (s *FakeSession) push(events ...provider.Event) {
	for _, ev := range events {
		switch e := ev.(type) {
		case provider.TextEvent:
			s.said.WriteString(e.Text)
		case provider.ApprovalEvent:
			s.pending[e.ID] = true
		case provider.ApprovalGoneEvent:
			delete(s.pending, e.ID)
		case provider.EndEvent:
			s.settle()
		}
		_ = s.queue.Put(ev) // refused only after the session's end
	}
}

// settle keeps the turn that ends. The caller holds mu.
func (s *FakeSession) settle() {
	clear(s.pending)
	if !s.active {
		return
	}
	s.active = false
	s.fake.keep(s.id,
		provider.Entry{Speaker: frames.SpeakerUser, Text: s.prompt},
		provider.Entry{Speaker: frames.SpeakerAssistant, Text: s.said.String()})
}

// ID implements provider.Session.
func (s *FakeSession) ID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.id
}

// Title implements provider.Session.
func (s *FakeSession) Title() string {
	r, _ := s.fake.record(s.ID())
	return r.info.Title
}

// History implements provider.Session.
func (s *FakeSession) History(ctx context.Context) ([]provider.Entry, error) {
	if err := s.fake.calls.enter(ctx, Call{Op: OpHistory, Session: s}); err != nil {
		return nil, err
	}
	r, _ := s.fake.record(s.ID())
	return append([]provider.Entry(nil), r.history...), nil
}

// Start implements provider.Session.
func (s *FakeSession) Start(ctx context.Context, prompt string, opts provider.TurnOptions) error {
	call := Call{Op: OpStart, Session: s, Prompt: prompt, Options: opts}
	if err := s.fake.calls.enter(ctx, call); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.dead:
		return provider.ErrClosed
	case s.active:
		return provider.ErrTurnActive
	}
	if s.id == "" {
		s.id = s.fake.begin(s.spec.Workspace, prompt)
	}
	s.active, s.prompt = true, prompt
	s.said.Reset()
	return nil
}

// Events implements provider.Session.
func (s *FakeSession) Events() <-chan provider.Event { return s.queue.Events() }

// Decide implements provider.Session.
func (s *FakeSession) Decide(ctx context.Context, approvalID string, d frames.Decision) error {
	call := Call{Op: OpDecide, Session: s, ApprovalID: approvalID, Decision: d}
	if err := s.fake.calls.enter(ctx, call); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.dead:
		return provider.ErrClosed
	case !s.pending[approvalID]:
		return provider.ErrApprovalGone
	}
	delete(s.pending, approvalID)
	if d == frames.CancelTurn && !s.ignoreCancel {
		s.push(provider.EndEvent{End: provider.EndCancelled})
	}
	return nil
}

// Cancel implements provider.Session.
func (s *FakeSession) Cancel(ctx context.Context) error {
	if err := s.fake.calls.enter(ctx, Call{Op: OpCancel, Session: s}); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.dead:
		return provider.ErrClosed
	case !s.active:
		return provider.ErrNoTurn
	case !s.ignoreCancel:
		s.push(provider.EndEvent{End: provider.EndCancelled})
	}
	return nil
}

// Close implements provider.Session. A hook's error is returned after the
// session was closed: an agent that will not go is gone all the same.
func (s *FakeSession) Close() error {
	err := s.fake.calls.enter(context.Background(), Call{Op: OpClose, Session: s})
	s.mu.Lock()
	s.dead = true
	if s.active { // what was said is kept, as by a real agent
		s.settle()
	}
	s.mu.Unlock()
	s.queue.Close()
	return err
}

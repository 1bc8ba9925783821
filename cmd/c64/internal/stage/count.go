package stage

import (
	"context"
	"slices"
	"sync"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// Calls is what reached the agent.
type Calls struct {
	mu        sync.Mutex
	prompts   []string
	decisions []frames.Decision
	cancels   int
}

// Prompts are the turns that were started, in order.
func (c *Calls) Prompts() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.prompts)
}

// Decisions are the answers that were given, in order.
func (c *Calls) Decisions() []frames.Decision {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.decisions)
}

// Cancels is how often a turn was cancelled.
func (c *Calls) Cancels() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cancels
}

func (c *Calls) note(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f()
}

// counted is a provider whose sessions tell Calls.
type counted struct {
	provider.Provider
	calls *Calls
}

var _ provider.Provider = counted{}

// Open implements provider.Provider.
func (c counted) Open(ctx context.Context, spec provider.Spec) (provider.Session, error) {
	s, err := c.Provider.Open(ctx, spec)
	if err != nil {
		return nil, err
	}
	return countedSession{s, c.calls}, nil
}

type countedSession struct {
	provider.Session
	calls *Calls
}

var _ provider.Session = countedSession{}

// Start implements provider.Session.
func (s countedSession) Start(ctx context.Context, prompt string, opts provider.TurnOptions) error {
	s.calls.note(func() { s.calls.prompts = append(s.calls.prompts, prompt) })
	return s.Session.Start(ctx, prompt, opts)
}

// Decide implements provider.Session.
func (s countedSession) Decide(ctx context.Context, id string, d frames.Decision) error {
	s.calls.note(func() { s.calls.decisions = append(s.calls.decisions, d) })
	return s.Session.Decide(ctx, id, d)
}

// Cancel implements provider.Session.
func (s countedSession) Cancel(ctx context.Context) error {
	s.calls.note(func() { s.calls.cancels++ })
	return s.Session.Cancel(ctx)
}

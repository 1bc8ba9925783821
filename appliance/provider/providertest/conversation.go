package providertest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// patience is how long a subtest lasts at most. It guards against a hang; nothing
// is measured with it, and real agents on a busy machine are slow.
const patience = 3 * time.Minute

// shownOnFailure is how many characters of the events a failure shows.
const shownOnFailure = 2000

// conversation is a session with a reader that keeps every event.
type conversation struct {
	t   *testing.T
	ctx context.Context
	s   provider.Session

	mu      sync.Mutex
	events  []provider.Event
	closed  bool
	changed chan struct{}
	seen    int // events that the subtest has looked at
}

// listen reads the session's events from now on.
func (c *conversation) listen() {
	events := c.s.Events()
	go func() {
		for ev := range events {
			c.add(ev, false)
		}
		c.add(nil, true)
	}()
}

func (c *conversation) add(ev provider.Event, closed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if closed {
		c.closed = true
	} else {
		c.events = append(c.events, ev)
	}
	close(c.changed)
	c.changed = make(chan struct{})
}

// next returns the next event; false once the channel is closed.
func (c *conversation) next() (provider.Event, bool) {
	c.t.Helper()
	for {
		c.mu.Lock()
		changed, closed := c.changed, c.closed
		if c.seen < len(c.events) {
			ev := c.events[c.seen]
			c.seen++
			c.mu.Unlock()
			return ev, true
		}
		c.mu.Unlock()
		if closed {
			return nil, false
		}
		select {
		case <-changed:
		case <-c.ctx.Done():
			c.t.Fatalf("no event came; the last so far: %s", c.last())
		}
	}
}

// last shows the newest events, within bounds.
func (c *conversation) last() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := fmt.Sprintf("%v", c.events)
	if len(all) > shownOnFailure {
		all = "..." + all[len(all)-shownOnFailure:]
	}
	return all
}

// start begins a turn that must begin.
func (c *conversation) start(prompt string, access frames.Access, reasoning frames.Reasoning) {
	c.t.Helper()
	opts := provider.TurnOptions{Access: access, Reasoning: reasoning}
	if err := c.s.Start(c.ctx, prompt, opts); err != nil {
		c.t.Fatalf("Start(%q): %v", prompt, err)
	}
}

// until reads on to the first event that matches; the end of the turn before it
// is a failure.
func until[E provider.Event](c *conversation) E {
	c.t.Helper()
	for {
		ev, ok := c.next()
		if found, is := ev.(E); is {
			return found
		}
		if !ok {
			c.t.Fatal("the channel was closed")
		}
		if end, is := ev.(provider.EndEvent); is {
			c.t.Fatalf("the turn ended as %+v", end)
		}
	}
}

// turn is what one turn sent.
type turn struct {
	events []provider.Event
	end    provider.EndEvent
}

// finish reads to the end of the turn.
func (c *conversation) finish() turn {
	c.t.Helper()
	var got turn
	for {
		ev, ok := c.next()
		if !ok {
			c.t.Fatal("the channel was closed before the turn's end")
		}
		if end, is := ev.(provider.EndEvent); is {
			got.end = end
			return got
		}
		got.events = append(got.events, ev)
	}
}

// play runs a whole turn that asks nothing.
func (c *conversation) play(prompt string, access frames.Access, reasoning frames.Reasoning) turn {
	c.t.Helper()
	c.start(prompt, access, reasoning)
	got := c.finish()
	if n := count[provider.ApprovalEvent](got); n != 0 {
		c.t.Errorf("%q asked %d approvals", prompt, n)
	}
	return got
}

// wantEnd checks how a turn ended.
func (c *conversation) wantEnd(got turn, want provider.End) {
	c.t.Helper()
	if got.end.End != want {
		c.t.Errorf("the turn ended as %d (%q), want %d", got.end.End, got.end.Reason, want)
	}
}

// wantSilence checks that nothing came after the turn's end: a turn that follows
// begins with its own events, so that what was sent before would stand first.
func (c *conversation) wantSilence() {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, ev := range c.events[c.seen:] {
		c.t.Errorf("after the end of the turn came %+v", ev)
	}
}

// decide answers an approval that must be pending.
func (c *conversation) decide(id string, d frames.Decision) {
	c.t.Helper()
	if err := c.s.Decide(c.ctx, id, d); err != nil {
		c.t.Fatalf("Decide(%q, %d): %v", id, d, err)
	}
}

// wantGone checks that a decision comes too late.
func (c *conversation) wantGone(id string) {
	c.t.Helper()
	if err := c.s.Decide(c.ctx, id, frames.AcceptOnce); !errors.Is(err, provider.ErrApprovalGone) {
		c.t.Errorf("a decision on an approval that is gone: %v", err)
	}
}

// cancel asks a turn to end.
func (c *conversation) cancel() {
	c.t.Helper()
	if err := c.s.Cancel(c.ctx); err != nil {
		c.t.Fatalf("Cancel: %v", err)
	}
}

// close closes the session and reads to the end of the channel.
func (c *conversation) close() {
	c.t.Helper()
	within(c.t, "Close", c.s.Close)
	for {
		if _, ok := c.next(); !ok {
			return
		}
	}
}

// within fails the subtest if a call without a context does not return.
func within(t *testing.T, what string, call func() error) {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- call() }()
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	case <-time.After(patience):
		t.Fatalf("%s does not return", what)
	}
}

// text joins the answer.
func (got turn) text() string {
	var b strings.Builder
	for _, ev := range got.events {
		if e, ok := ev.(provider.TextEvent); ok {
			b.WriteString(e.Text)
		}
	}
	return b.String()
}

// count is how many events of a type a turn sent.
func count[E provider.Event](got turn) int {
	n := 0
	for _, ev := range got.events {
		if _, ok := ev.(E); ok {
			n++
		}
	}
	return n
}

package framestest

import (
	"context"

	"github.com/prompt64/prompt64/frames"
)

// Ask is an ApprovalRequest that the user sees.
type Ask struct {
	Request uint16 // its sequence
	Kind    frames.ApprovalKind
	Summary string
}

// decision is an answer that is not acknowledged yet.
type decision struct {
	ask   Ask
	d     frames.Decision
	sent  bool
	first bool // it was sent before the open request
}

func (d *decision) message(plain bool) frames.ApprovalDecision {
	return frames.ApprovalDecision{Decision: d.d, Named: !plain, Request: d.ask.Request}
}

// Outcome is what became of a decision.
type Outcome struct {
	Settled bool
	Acked   bool   // an ApprovalAck came
	ByEnd   bool   // the turn ended first
	Refusal string // the bridge's Error
}

// Pending returns the approval that the user sees, if there is one.
func (c *Client) Pending() (Ask, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pending == nil {
		return Ask{}, false
	}
	return *c.pending, true
}

// WaitApproval waits for an approval that is not decided yet. ErrNoTurn means
// that the turn ended without one.
func (c *Client) WaitApproval(ctx context.Context) (Ask, error) {
	var a Ask
	err := c.wait(ctx, "wait for an approval", func() (bool, error) {
		if c.pending != nil && c.decision == nil {
			a = *c.pending
			return true, nil
		}
		if c.turn == idle {
			return false, ErrNoTurn
		}
		return false, c.hopeless()
	})
	return a, err
}

// Decide answers a and returns at once; WaitDecided tells what became of it. The
// decision names its request, unless the client is Plain. It stays open, and is
// sent again after a reconnect, until it is acknowledged or the turn ends.
func (c *Client) Decide(a Ask, d frames.Decision) error {
	c.mu.Lock()
	if c.decision != nil {
		defer c.mu.Unlock()
		return ErrBusy
	}
	if c.turn == idle {
		defer c.mu.Unlock()
		return ErrNoTurn
	}
	l := c.ready()
	open := &decision{ask: a, d: d, sent: l != nil, first: c.req == nil}
	c.decision, c.outcome = open, Outcome{}
	m := open.message(c.cfg.Plain)
	c.mu.Unlock()
	post(l, m)
	return nil
}

// WaitDecided waits until the last decision is settled.
func (c *Client) WaitDecided(ctx context.Context) (Outcome, error) {
	var o Outcome
	err := c.wait(ctx, "wait for the acknowledgement", func() (bool, error) {
		if c.decision != nil {
			return false, c.hopeless()
		}
		if o = c.outcome; !o.Settled {
			return false, ErrNoTurn
		}
		return true, nil
	})
	return o, err
}

// Detail fetches all that the approval is about.
func (c *Client) Detail(ctx context.Context, request uint16) ([]Line, error) {
	var lines lineJoiner
	err := c.do(ctx, frames.ApprovalDetailGet{Request: request}, func(m frames.Message) (bool, bool) {
		switch m := m.(type) {
		case frames.ApprovalDetailLine:
			if m.Request == request { // lines of another request are dropped
				lines.add(m.Start, m.Kind, m.Text)
			}
			return false, true
		case frames.ApprovalDetailDone:
			lines.check(m.Request == request && int(m.Lines) == min(len(lines.lines), 255))
			return true, true
		}
		return false, false
	}, &lines.wrong)
	return lines.lines, err
}

package framestest

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/prompt64/prompt64/frames"
)

// receive takes one whole frame from the reader.
func (c *Client) receive(l *link, f frames.Frame) {
	m, err := frames.Decode(frames.ToC64, f)
	c.mu.Lock()
	if c.link != l {
		c.mu.Unlock()
		return
	}
	l.inbound = time.Now()
	c.stats.Frames++
	if err != nil {
		c.violate("%v", err)
	} else if seq, ok := frames.Sequence(f); ok {
		c.sequenced(l, seq, m)
	} else {
		c.control(l, m)
	}
	c.touch()
	c.mu.Unlock()
	if err == nil && c.cfg.OnFrame != nil {
		c.cfg.OnFrame(m)
	}
}

// sequenced applies an asynchronous frame, once.
func (c *Client) sequenced(l *link, seq uint16, m frames.Message) {
	if l.hasSeq && !frames.Newer(seq, l.lastSeq) {
		c.violate("%v %d after %d on one connection", m.Type(), seq, l.lastSeq)
	}
	l.lastSeq, l.hasSeq = seq, true
	if !frames.Newer(seq, c.applied) {
		c.stats.Dropped++
		return
	}
	if seq != c.applied+1 {
		c.violate("gap: %v %d after %d was applied", m.Type(), seq, c.applied)
	}
	c.applied = seq
	if c.turn == sent {
		c.turn = running
	}
	if c.turn != running {
		c.unasked("%v %d outside a turn", m.Type(), seq)
	}
	c.apply(m)
}

// apply changes the transcript and what is open.
func (c *Client) apply(m frames.Message) {
	switch m := m.(type) {
	case frames.AssistantDelta:
		c.transcript.add(Assistant, 0, string(m.Text))
	case frames.ReasoningDelta:
		c.transcript.add(Reasoning, 0, string(m.Text))
	case frames.ActivityEvent:
		c.transcript.add(Activity, uint8(m.Lifecycle), string(m.Label))
	case frames.ApprovalRequest:
		if c.pending != nil {
			c.violate("approval %d while %d is pending", m.Seq, c.pending.Request)
		}
		c.pending = &Ask{m.Seq, m.Kind, string(m.Summary)}
		c.transcript.add(Approval, uint8(m.Kind), string(m.Summary))
	case frames.ApprovalAck:
		if c.pending == nil {
			c.violate("ApprovalAck %d with nothing pending", m.Seq)
		}
		c.pending = nil
		if c.decision != nil {
			c.decision, c.outcome = nil, Outcome{Settled: true, Acked: true}
		}
		c.transcript.add(Decided, 0, "")
	case frames.TurnDone:
		c.finish(Done, "")
	case frames.TurnCancelled:
		c.finish(Cancelled, "")
	case frames.TurnFailed:
		c.finish(Failed, string(m.Summary))
	}
}

// control takes a frame that has no sequence.
func (c *Client) control(l *link, m frames.Message) {
	switch m := m.(type) {
	case frames.ReconnectDone:
		if l.replayed {
			c.violate("ReconnectDone without a replay")
		} else if c.applied != c.lastState.Latest {
			c.violate("ReconnectDone at %d, not behind the latest, %d", c.applied, c.lastState.Latest)
		}
		l.replayed = true
	case frames.HeartbeatAck:
		if l.acks++; l.acks > l.beats {
			c.unasked("HeartbeatAck for no Heartbeat")
		}
	case frames.SessionRelease:
		if !c.releases {
			c.unasked("release acknowledged that nobody asked for")
			return
		}
		c.releases, c.released, c.hasLease = false, true, false
		c.token = frames.Token{}
	case frames.Error:
		c.refused(string(m.Text))
	default:
		if c.req == nil || c.req.link != l {
			c.unasked("%v that nobody asked for", m.Type())
			return
		}
		c.req.take(c, m)
	}
}

// refused finds what an Error frame refuses. A prompt and a decision are told by
// the first word; a detail of an approval by being asked for before the decision.
func (c *Client) refused(text string) {
	c.errors = append(c.errors, text)
	err := &Refused{text}
	detail := c.req != nil && c.req.asks == frames.TypeApprovalDetailGet
	switch {
	case c.turn == sent && strings.HasPrefix(text, frames.ErrorPromptPrefix) && text != frames.ErrorVersion:
		c.editor = c.prompt
		c.finish(Rejected, text)
	case c.decision != nil && c.decision.sent && !(detail && !c.decision.first) &&
		strings.HasPrefix(text, frames.ErrorDecisionWord):
		c.decision, c.outcome = nil, Outcome{Settled: true, Refusal: text}
	case c.req != nil:
		c.req.finish(c, err)
	case c.cancels:
		c.cancels = false
	}
}

// WaitError waits for the n-th Error frame, counted from 1, and returns its text.
func (c *Client) WaitError(ctx context.Context, n int) (string, error) {
	var text string
	err := c.wait(ctx, fmt.Sprintf("wait for error %d", n), func() (bool, error) {
		if len(c.errors) < n {
			return false, c.hopeless()
		}
		text = c.errors[n-1]
		return true, nil
	})
	return text, err
}

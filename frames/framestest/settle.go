package framestest

import (
	"github.com/prompt64/prompt64/frames"
)

// resumed judges a ReconnectState, with mu held. The turn runs, or has news, if
// active is 1 or a sequence is newer than the applied one: then an open prompt
// was taken.
func (c *Client) resumed(st frames.ReconnectState, applied uint16) {
	c.lastState = st
	alive := st.Active || frames.Newer(st.Latest, applied)
	switch {
	case alive && c.turn != running:
		if c.turn == unsent || c.turn == idle && c.cfg.Record == nil {
			c.unasked("a turn runs that nobody asked for")
		}
		c.turn = running
	case !alive && c.turn == running:
		c.violate("the turn ended without a word: active 0, latest %d, applied %d", st.Latest, applied)
	}
}

// settle sends again, after ReconnectDone, what the bridge has not taken, and
// opens the link to the test. The link's writing lock is held throughout, so that
// nothing of the test's overtakes.
func (c *Client) settle(l *link) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	c.mu.Lock()
	if c.link != l {
		defer c.mu.Unlock()
		return l.reason
	}
	var out []byte
	if c.turn == sent { // resumed would have made it running
		c.stats.Resent++
		c.turn = unsent
	}
	if c.turn == unsent {
		out = frames.UserText{Text: []byte(c.prompt)}.AppendTo(out)
		c.turn, c.base = sent, c.applied
	}
	if d := c.decision; d != nil {
		if d.sent {
			c.stats.Resent++
		}
		d.sent = true
		out = d.message(c.cfg.Plain).AppendTo(out)
	}
	if c.cancels && c.turn != idle {
		c.stats.Resent++
		out = frames.TurnCancel{}.AppendTo(out)
	}
	if c.releases {
		c.stats.Resent++
		out = frames.SessionRelease{}.AppendTo(out)
	}
	l.ready = true
	c.touch()
	c.mu.Unlock()
	return l.write(out)
}

// expire ends everything that was open, since its lease is gone. The transcript
// stays; a prompt goes back to the editor. An open release is acknowledged by it.
func (c *Client) expire(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.releases {
		c.releases, c.released = false, true
		err = ErrReleased
	}
	if c.turn == unsent || c.turn == sent {
		c.editor = c.prompt
	}
	if c.turn != idle {
		c.finish(Lost, frames.ErrorLeaseExpired)
	}
	c.hasLease, c.token = false, frames.Token{}
	if c.stopped == nil {
		c.stopped = err
	}
	c.touch()
	return err
}

// forget drops the lease, for Connect.
func (c *Client) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.turn == unsent || c.turn == sent {
		c.editor = c.prompt
	}
	if c.turn != idle {
		c.finish(Lost, "")
	}
	c.hasLease, c.token, c.releases = false, frames.Token{}, false
}

// finish ends the turn, with mu held: whatever was open in it is settled.
func (c *Client) finish(k Kind, text string) {
	c.end = Entry{Kind: k, Text: text}
	c.transcript.add(k, 0, text)
	if c.decision != nil {
		c.decision, c.outcome = nil, Outcome{Settled: true, ByEnd: true}
	}
	c.turn, c.pending, c.cancels = idle, nil, false
}

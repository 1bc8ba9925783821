package framestest

import (
	"context"

	"github.com/prompt64/prompt64/frames"
)

// Prompt sends text as the user's prompt and returns at once; WaitEnd tells what
// became of it. While the link is down it waits, unsent, for the reconnect.
// ErrBusy means that a turn runs: Send goes around this check.
func (c *Client) Prompt(text string) error {
	c.mu.Lock()
	if c.turn != idle {
		defer c.mu.Unlock()
		return ErrBusy
	}
	if c.stopped != nil {
		defer c.mu.Unlock()
		return c.stopped
	}
	c.turn, c.prompt, c.end = unsent, text, Entry{}
	c.transcript.add(User, 0, text)
	l := c.ready()
	if l != nil {
		c.turn, c.base = sent, c.applied
	}
	c.touch()
	c.mu.Unlock()
	post(l, frames.UserText{Text: []byte(text)})
	return nil
}

// WaitEnd waits until no turn runs and no prompt waits, and returns how the last
// one ended: Done, Cancelled, Failed, Rejected or Lost.
func (c *Client) WaitEnd(ctx context.Context) (Entry, error) {
	var end Entry
	err := c.wait(ctx, "wait for the end of the turn", func() (bool, error) {
		if c.turn != idle {
			return false, c.hopeless()
		}
		if end = c.end; end.Kind == "" {
			return false, ErrNoTurn
		}
		return true, nil
	})
	return end, err
}

// Turn is Prompt and WaitEnd.
func (c *Client) Turn(ctx context.Context, text string) (Entry, error) {
	if err := c.Prompt(text); err != nil {
		return Entry{}, err
	}
	return c.WaitEnd(ctx)
}

// Cancel asks to end the turn. It stays open, and is sent again after a
// reconnect, until the turn ends.
func (c *Client) Cancel() error {
	c.mu.Lock()
	if c.turn == idle {
		defer c.mu.Unlock()
		return ErrNoTurn
	}
	c.cancels = true
	l := c.ready()
	c.mu.Unlock()
	post(l, frames.TurnCancel{})
	return nil
}

// WaitText waits until the current turn's answer holds at least n bytes.
func (c *Client) WaitText(ctx context.Context, n int) error {
	return c.wait(ctx, "wait for text", func() (bool, error) {
		if len(c.transcript.Turn().Text(Assistant)) >= n {
			return true, nil
		}
		if c.turn == idle {
			return false, ErrNoTurn
		}
		return false, c.hopeless()
	})
}

// WaitFor waits until done, which must not call the client, accepts the
// transcript.
func (c *Client) WaitFor(ctx context.Context, done func(Transcript) bool) error {
	return c.wait(ctx, "wait for the transcript", func() (bool, error) {
		if done(c.transcript) {
			return true, nil
		}
		return false, c.hopeless()
	})
}

// ready returns the link if the test may write to it, with mu held.
func (c *Client) ready() *link {
	if c.link != nil && c.link.ready {
		return c.link
	}
	return nil
}

// post sends m if there is a link. A failure ends the link, and what was lost is
// settled by the reconnect.
func post(l *link, m frames.Message) {
	if l != nil {
		_ = l.send(m.AppendTo(nil)) // see above
	}
}

package framestest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prompt64/prompt64/frames"
)

// request is the control request that is open.
type request struct {
	asks   frames.Type
	link   *link
	handle func(frames.Message) (done, known bool)
	wrong  *bool // the handler found the answer inconsistent
	err    error
	done   bool
}

// take gives a frame to the request, with the client's mu held.
func (r *request) take(c *Client, m frames.Message) {
	done, known := r.handle(m)
	if !known {
		c.unasked("%v in answer to %v", m.Type(), r.asks)
		return
	}
	if done {
		if r.wrong != nil && *r.wrong {
			c.violate("the rows in answer to %v do not fit their count or order", r.asks)
		}
		r.finish(c, nil)
	}
}

func (r *request) finish(c *Client, err error) {
	r.err, r.done = err, true
	if c.req == r {
		c.req = nil
	}
}

// do sends a control request and waits for its answer. One is open at a time, as
// in the C64 program.
func (c *Client) do(ctx context.Context, m frames.Message, handle func(frames.Message) (bool, bool), wrong *bool) error {
	select {
	case c.requests <- struct{}{}:
		defer func() { <-c.requests }()
	case <-ctx.Done():
		return fmt.Errorf("framestest: %v: %w", m.Type(), ctx.Err())
	}
	if err := c.WaitAttached(ctx); err != nil {
		return err
	}
	c.mu.Lock()
	l := c.link
	c.mu.Unlock()
	if l == nil {
		return ErrLinkLost
	}
	return c.doOn(ctx, l, m, handle, wrong)
}

// doOn is do on a link that may not be ready yet.
func (c *Client) doOn(ctx context.Context, l *link, m frames.Message, handle func(frames.Message) (bool, bool), wrong *bool) error {
	r := &request{asks: m.Type(), link: l, handle: handle, wrong: wrong}
	c.mu.Lock()
	if c.link != l {
		defer c.mu.Unlock()
		return l.reason
	}
	c.req = r
	if c.decision != nil {
		c.decision.first = true
	}
	c.mu.Unlock()
	if err := l.send(m.AppendTo(nil)); err != nil {
		return err
	}
	err := c.wait(ctx, m.Type().String(), func() (bool, error) { return r.done, r.err })
	if ctx.Err() != nil {
		c.mu.Lock()
		if !r.done {
			c.unscripted = true
			r.finish(c, ctx.Err())
		}
		c.mu.Unlock()
	}
	return err
}

// one makes a handler for an answer of one frame.
func one[M frames.Message](out *M) func(frames.Message) (bool, bool) {
	return func(m frames.Message) (bool, bool) {
		got, ok := m.(M)
		if ok {
			*out = got
		}
		return ok, ok
	}
}

// Send writes any message, without a thought of what is open; it is for what the
// C64 program would never send.
func (c *Client) Send(m frames.Message) error { return c.SendBytes(m.AppendTo(nil)) }

// SendBytes writes any bytes.
func (c *Client) SendBytes(b []byte) error {
	c.mu.Lock()
	l := c.link
	c.unscripted = true
	c.mu.Unlock()
	if l == nil {
		return ErrLinkLost
	}
	return l.send(b)
}

// Retry repeats f while it fails with ErrLinkLost, as the C64 program asks again
// for a view when the link is back.
func Retry(ctx context.Context, f func() error) error {
	for {
		err := f()
		if !errors.Is(err, ErrLinkLost) || ctx.Err() != nil {
			return err
		}
		select {
		case <-time.After(time.Millisecond):
		case <-ctx.Done():
		}
	}
}

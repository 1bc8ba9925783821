package framestest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/prompt64/prompt64/frames"
)

// Connect asks for a fresh lease: Hello, Pair where there is a code, LeaseGet, and
// then the user's settings. A lease that the client had is forgotten, not
// released. It makes one try; an Error frame of the bridge is a *Refused. The link
// stays up if it is a setting that was refused.
func (c *Client) Connect(ctx context.Context) error {
	c.forget()
	return c.attach(ctx, false)
}

// Reconnect takes the lease up again: one try. It returns after ReconnectDone,
// when whatever was open has been settled or sent again. ErrReleased means that an
// open release was acknowledged by the lease being expired.
func (c *Client) Reconnect(ctx context.Context) error {
	if !locked(c, func() bool { return c.hasLease }) {
		return ErrNoLease
	}
	return c.attach(ctx, false)
}

// Reattach reconnects until it succeeds, the lease is gone, or ctx ends. It
// pauses 10 ms between tries, or Retry if that is set.
func (c *Client) Reattach(ctx context.Context) error {
	pause := c.cfg.Retry
	if pause <= 0 {
		pause = 10 * time.Millisecond
	}
	for {
		err := c.Reconnect(ctx)
		if err == nil || final(err) || ctx.Err() != nil {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return err
		}
	}
}

// WaitAttached waits until the link is up and settled, for clients that
// reconnect by themselves.
func (c *Client) WaitAttached(ctx context.Context) error {
	return c.wait(ctx, "wait for the link", func() (bool, error) {
		return c.link != nil && c.link.ready, c.hopeless()
	})
}

// retry reconnects after a loss: at once, then every Retry.
func (c *Client) retry() {
	for {
		err := c.attach(c.ctx, true)
		c.mu.Lock()
		if final(err) && c.stopped == nil {
			c.stopped = err
		}
		if c.stopped != nil || err == nil && c.link != nil {
			c.retrying = false
			c.touch()
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
		select {
		case <-time.After(c.cfg.Retry):
		case <-c.ctx.Done():
		}
	}
}

// attach makes one try to get a link. An automatic one does nothing where the
// test has got a link itself in the meantime.
func (c *Client) attach(ctx context.Context, auto bool) error {
	select {
	case c.attaching <- struct{}{}:
		defer func() { <-c.attaching }()
	case <-ctx.Done():
		return ctx.Err()
	}
	c.mu.Lock()
	closed, up, has := errors.Is(c.stopped, ErrClosed), c.link != nil, c.hasLease
	c.stats.Tries++
	c.mu.Unlock()
	switch {
	case closed:
		return ErrClosed
	case auto && up:
		return nil
	case auto && !has:
		return ErrNoLease
	}
	c.Cut()
	ctx, cancel := context.WithTimeout(ctx, c.patience(c.cfg.Handshake))
	defer cancel()
	defer func() {
		if ctx.Err() == context.DeadlineExceeded {
			c.strained()
		}
	}()
	defer context.AfterFunc(c.ctx, cancel)() // Close ends a try
	conn, err := c.cfg.Dial(ctx)
	if err != nil {
		return fmt.Errorf("%w: dial: %w", ErrLinkLost, err)
	}
	l, err := c.greet(ctx, conn)
	if err != nil {
		_ = conn.Close() // the try failed for a better reason
		c.cfg.Logf("attach: %v", err)
		return err
	}
	return c.settleIn(ctx, l)
}

// settleIn finishes what follows the lease: the replay or the user's settings.
func (c *Client) settleIn(ctx context.Context, l *link) error {
	err := c.wait(ctx, "replay", func() (bool, error) {
		if c.link != l {
			return false, l.reason
		}
		return l.replayed, nil
	})
	if err != nil {
		l.drop(err)
		return err
	}
	var refused *Refused
	if locked(c, func() bool { return c.prefsDue }) {
		err := c.sendPrefs(ctx, l)
		if err != nil && !errors.As(err, &refused) {
			l.drop(err)
			return err
		}
		locked(c, func() bool { c.prefsDue = false; return true })
	}
	if err := c.settle(l); err != nil {
		return err
	}
	if refused != nil {
		return refused
	}
	return nil
}

// greet speaks the greeting on conn and starts the link.
func (c *Client) greet(ctx context.Context, conn net.Conn) (*link, error) {
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	h := &handshake{c: c, conn: conn, rd: frames.NewReader(conn, frames.ToC64)}
	var ok frames.HelloOk
	if err := h.ask(frames.Hello{}, &ok); err != nil {
		return nil, err
	}
	if c.cfg.Code != "" && !c.cfg.Plain {
		pair := frames.Pair{}
		copy(pair.Code[:], c.cfg.Code)
		if err := h.ask(pair, &frames.PairState{}); err != nil {
			return nil, err
		}
	}
	l := &link{c: c, conn: conn, rd: h.rd, gone: make(chan struct{})}
	if err := h.lease(l); err != nil {
		return nil, err
	}
	if !stop() {
		return nil, fmt.Errorf("%w: greeting: %w", ErrLinkLost, ctx.Err())
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if errors.Is(c.stopped, ErrClosed) {
		return nil, ErrClosed
	}
	c.caps, c.link, l.inbound = ok.Capabilities, l, time.Now()
	c.stopped = nil
	c.stats.Connects++
	c.wg.Go(l.read)
	c.wg.Go(l.heart)
	c.touch()
	return l, nil
}

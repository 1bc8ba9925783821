package framestest

import (
	"context"

	"github.com/prompt64/prompt64/frames"
)

// Heartbeat sends one and waits for its acknowledgement; without one in time
// the link ends, as it does for the client's own.
func (c *Client) Heartbeat(ctx context.Context) error {
	if err := c.WaitAttached(ctx); err != nil {
		return err
	}
	c.mu.Lock()
	l := c.link
	c.mu.Unlock()
	if l == nil {
		return ErrLinkLost
	}
	return l.beat()
}

// Release gives the session up and waits for the acknowledgement. If the link goes
// first it stays open, and the reconnect sends it again; the lease being expired
// acknowledges it too.
func (c *Client) Release(ctx context.Context) error {
	c.mu.Lock()
	if !c.hasLease {
		defer c.mu.Unlock()
		return ErrNoLease
	}
	c.releases = true
	l := c.ready()
	c.mu.Unlock()
	post(l, frames.SessionRelease{})
	return c.WaitReleased(ctx)
}

// WaitReleased waits until an open release is acknowledged.
func (c *Client) WaitReleased(ctx context.Context) error {
	return c.wait(ctx, "release", func() (bool, error) {
		if c.released {
			return true, nil
		}
		return false, c.hopeless()
	})
}

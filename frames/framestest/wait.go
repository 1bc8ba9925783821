package framestest

import (
	"context"
	"fmt"
)

// touch wakes everyone who waits. It is called with mu held.
func (c *Client) touch() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// wait blocks until ready, called with mu held, reports true or an error.
func (c *Client) wait(ctx context.Context, what string, ready func() (bool, error)) error {
	for {
		c.mu.Lock()
		ok, err := ready()
		changed := c.changed
		c.mu.Unlock()
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("framestest: %s: %w", what, ctx.Err())
		}
	}
}

// hopeless says why nothing more will come from the bridge, or nil if it may. It
// is called with mu held.
func (c *Client) hopeless() error {
	if c.stopped != nil {
		return c.stopped
	}
	if c.link == nil && !c.retrying {
		return ErrLinkLost
	}
	return nil
}

package framestest

import (
	"net"
	"os"
	"sync"
	"time"
)

// SetDeadline sets both deadlines.
func (c *Conn) SetDeadline(t time.Time) error {
	if err := c.SetReadDeadline(t); err != nil {
		return err
	}
	return c.SetWriteDeadline(t)
}

// SetReadDeadline works in a black hole as well.
func (c *Conn) SetReadDeadline(t time.Time) error {
	return c.setDeadline(&c.in.deadline, t, c.Conn.SetReadDeadline)
}

// SetWriteDeadline works in a black hole as well.
func (c *Conn) SetWriteDeadline(t time.Time) error {
	return c.setDeadline(&c.out.deadline, t, c.Conn.SetWriteDeadline)
}

func (c *Conn) setDeadline(d *deadline, t time.Time, below func(time.Time) error) error {
	d.set(t)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dead == BlackHole {
		return nil // the one below must stay in the past
	}
	return below(t)
}

// deadline is a deadline that can be waited for while it moves.
type deadline struct {
	mu      sync.Mutex
	at      time.Time
	changed chan struct{}
}

func (d *deadline) set(t time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.at = t
	close(d.changed)
	d.changed = make(chan struct{})
}

// wait blocks until the deadline, or until closed is.
func (d *deadline) wait(closed <-chan struct{}) error {
	for {
		d.mu.Lock()
		at, changed := d.at, d.changed
		d.mu.Unlock()
		var fire <-chan time.Time
		if !at.IsZero() {
			left := time.Until(at)
			if left <= 0 {
				return os.ErrDeadlineExceeded
			}
			t := time.NewTimer(left)
			defer t.Stop()
			fire = t.C
		}
		select {
		case <-closed:
			return net.ErrClosed
		case <-changed:
		case <-fire:
		}
	}
}

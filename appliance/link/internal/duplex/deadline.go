package duplex

import (
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
)

// deadline is a point of time behind which reads or writes fail. Conn.mu guards
// it.
type deadline struct {
	passed bool
	timer  *time.Timer
	turn   int // counts changes, so that a timer that is too late is known
}

// stop forgets the point of time.
func (d *deadline) stop() {
	d.turn++
	if d.timer != nil {
		d.timer.Stop()
		d.timer = nil
	}
}

// set changes it; the zero time is never.
func (d *deadline) set(c *Conn, t time.Time) {
	d.stop()
	d.passed = false
	if t.IsZero() {
		return
	}
	left := time.Until(t)
	if left <= 0 {
		d.passed = true
		return
	}
	turn := d.turn
	d.timer = guarded.AfterFunc(left, "serial deadline", func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if d.turn == turn {
			d.passed = true
			c.news.Broadcast()
		}
	}, c.End)
}

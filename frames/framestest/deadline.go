package framestest

import (
	"net"
	"os"
	"sync"
	"time"
)

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

package framestest

import (
	"fmt"
	"time"

	"github.com/prompt64/prompt64/frames"
)

// heart sends a heartbeat when the line was quiet for too long, and ends the link
// when none is acknowledged.
func (l *link) heart() {
	if l.c.cfg.Quiet < 0 {
		return
	}
	for {
		l.c.mu.Lock()
		limit, changed := l.c.cfg.Idle, l.c.changed
		if l.c.turn == sent || l.c.turn == running {
			limit = l.c.cfg.Quiet
		}
		left := limit - time.Since(l.inbound)
		l.c.mu.Unlock()
		if left <= 0 {
			if l.beat() != nil {
				return
			}
			continue
		}
		t := time.NewTimer(left)
		select {
		case <-l.gone:
			t.Stop()
			return
		case <-changed:
		case <-t.C:
		}
		t.Stop()
	}
}

// beat sends a heartbeat and waits for its acknowledgement, counted from the end
// of the write.
func (l *link) beat() error {
	l.c.mu.Lock()
	l.beats++
	mine := l.beats
	l.c.mu.Unlock()
	if err := l.send(frames.Heartbeat{}.AppendTo(nil)); err != nil {
		return err
	}
	patience := l.c.patience(l.c.cfg.Ack)
	t := time.NewTimer(patience)
	defer t.Stop()
	for {
		l.c.mu.Lock()
		acked, changed := l.acks >= mine, l.c.changed
		l.c.mu.Unlock()
		if acked {
			return nil
		}
		select {
		case <-changed:
		case <-l.gone:
			return ErrLinkLost
		case <-t.C:
			l.c.strained()
			err := fmt.Errorf("%w: no heartbeat acknowledgement in %v", ErrLinkLost, patience)
			l.drop(err)
			return err
		}
	}
}

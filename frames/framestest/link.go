package framestest

import (
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/prompt64/prompt64/frames"
)

// link is one attached connection.
type link struct {
	c    *Client
	conn net.Conn
	rd   *frames.Reader

	writing sync.Mutex    // taken before the client's mu, never after
	gone    chan struct{} // closed when the link is down

	// Under the client's mu.
	ready    bool // the replay is over and open things are settled
	replayed bool
	inbound  time.Time
	beats    int // heartbeats sent
	acks     int // and acknowledged
	lastSeq  uint16
	hasSeq   bool
	reason   error
}

// drop ends the link for a reason.
func (l *link) drop(reason error) {
	_ = l.conn.Close() // it is gone already, or useless
	l.c.lost(l, reason)
}

// send writes whole frames; a failure ends the link.
func (l *link) send(b []byte) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	return l.write(b)
}

// write is send with writing held.
func (l *link) write(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	_ = l.conn.SetWriteDeadline(time.Now().Add(l.c.cfg.Write)) // without one the write may last
	if _, err := l.conn.Write(b); err != nil {
		err = fmt.Errorf("%w: write: %w", ErrLinkLost, err)
		l.drop(err)
		return err
	}
	return nil
}

// read applies frames until the link ends.
func (l *link) read() {
	for {
		f, err := l.rd.Next()
		if err != nil {
			l.drop(fmt.Errorf("%w: %w", ErrLinkLost, err))
			return
		}
		l.c.receive(l, f)
	}
}

// lost takes the link down, and starts the reconnect where it is automatic.
func (c *Client) lost(l *link, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.link != l {
		return
	}
	if errors.Is(err, frames.ErrFraming) {
		c.violate("stream: %v", err)
	}
	c.cfg.Logf("link down: %v", err)
	l.reason, c.link = err, nil
	close(l.gone)
	if c.req != nil {
		c.req.finish(c, l.reason)
	}
	if c.released && c.stopped == nil {
		c.stopped = ErrReleased
	}
	if c.stopped == nil && c.cfg.Retry > 0 && !c.retrying {
		c.retrying = true
		c.wg.Go(c.retry)
	}
	c.touch()
}

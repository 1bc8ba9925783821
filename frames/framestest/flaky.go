package framestest

import (
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"syscall"
	"time"
)

// swallowed is what a black hole takes before a write blocks: a socket's buffer.
const swallowed = 64 * 1024

// Conn is a net.Conn that misbehaves by its Plan. Make one with a Network.
type Conn struct {
	net.Conn
	plan   Plan
	in     lane
	out    lane
	once   sync.Once
	closed chan struct{} // closed by Close

	mu   sync.Mutex
	dead How
	void int // bytes that a black hole has swallowed
}

// lane is one direction.
type lane struct {
	rand     *rand.Rand
	using    sync.Mutex // one read or write at a time
	deadline deadline

	mu    sync.Mutex
	count int64
}

func (l *lane) moved(n int) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.count += int64(n)
	return l.count
}

// Counts returns how many bytes were read and written.
func (c *Conn) Counts() (read, written int64) { return c.in.moved(0), c.out.moved(0) }

// Cut ends the connection now. Only the first cut counts.
func (c *Conn) Cut(how How) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dead != NoCut || how == NoCut {
		return
	}
	c.dead = how
	switch how {
	case BlackHole:
		_ = c.Conn.SetDeadline(time.Unix(1, 0)) // wakes who waits below
	case Reset:
		reset(c.Conn)
	case Hangup:
		_ = c.Conn.Close() // that is the fault
	}
}

func (c *Conn) state() How {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dead
}

// reset closes with a reset where the transport has one.
func reset(conn net.Conn) {
	if tcp, ok := conn.(interface{ SetLinger(int) error }); ok {
		_ = tcp.SetLinger(0) // else it is a plain close
	}
	_ = conn.Close() // that is the fault
}

// prepare stalls or resets before an operation on lane l, and returns how many of
// n bytes it may move.
func (c *Conn) prepare(l *lane, cut Cut, n int) int {
	if c.plan.Stall > 0 && l.rand.Float64() < c.plan.Stall {
		select {
		case <-time.After(c.plan.StallFor):
		case <-c.closed:
		}
	}
	if c.plan.Reset > 0 && l.rand.Float64() < c.plan.Reset {
		c.Cut(Reset)
	}
	if c.plan.Slice > 0 {
		n = min(n, c.plan.Slice)
	}
	if cut.How != NoCut {
		n = int(min(int64(n), max(cut.After-l.moved(0), 0)))
	}
	return n
}

// advance counts n bytes and cuts the connection where the plan says so.
func (c *Conn) advance(l *lane, cut Cut, n int) {
	if total := l.moved(n); cut.How != NoCut && total >= cut.After {
		c.Cut(cut.How)
	}
}

// Read reads by the plan.
func (c *Conn) Read(p []byte) (int, error) {
	c.in.using.Lock()
	defer c.in.using.Unlock()
	if len(p) == 0 {
		return 0, nil
	}
	limit := c.prepare(&c.in, c.plan.CutRead, len(p))
	if how := c.state(); how != NoCut {
		return 0, c.deadRead(how)
	}
	n, err := c.Conn.Read(p[:limit])
	if how := c.state(); how != NoCut {
		return 0, c.deadRead(how)
	}
	c.advance(&c.in, c.plan.CutRead, n)
	return n, err
}

func (c *Conn) deadRead(how How) error {
	select {
	case <-c.closed:
		return net.ErrClosed
	default:
	}
	switch how {
	case BlackHole:
		return c.in.deadline.wait(c.closed)
	case Reset:
		return &net.OpError{Op: "read", Net: "flaky", Err: syscall.ECONNRESET}
	default:
		return io.EOF
	}
}

// Write writes by the plan.
func (c *Conn) Write(p []byte) (int, error) {
	c.out.using.Lock()
	defer c.out.using.Unlock()
	stop := -1
	if c.plan.Partial > 0 && len(p) > 0 && c.out.rand.Float64() < c.plan.Partial {
		stop = c.out.rand.IntN(len(p))
	}
	for done := 0; done < len(p); {
		limit := c.prepare(&c.out, c.plan.CutWrite, len(p)-done)
		if stop >= 0 {
			if limit = min(limit, stop-done); limit <= 0 {
				c.Cut(Reset)
			}
		}
		if how := c.state(); how != NoCut {
			return c.deadWrite(how, done, len(p))
		}
		n, err := c.Conn.Write(p[done : done+limit])
		done += n
		c.advance(&c.out, c.plan.CutWrite, n)
		if err != nil && c.state() == NoCut {
			return done, err
		}
	}
	return len(p), nil
}

// deadWrite fails, or lets a black hole swallow the rest of a write of n bytes.
func (c *Conn) deadWrite(how How, done, n int) (int, error) {
	select {
	case <-c.closed:
		return done, net.ErrClosed
	default:
	}
	if how != BlackHole {
		return done, &net.OpError{Op: "write", Net: "flaky", Err: syscall.EPIPE}
	}
	c.mu.Lock()
	c.void += n - done
	full := c.void > swallowed
	c.mu.Unlock()
	if full {
		return done, c.out.deadline.wait(c.closed)
	}
	return n, nil
}

// Close closes this end. Behind a black hole the other end does not learn of it;
// Network.Close closes that too.
func (c *Conn) Close() error {
	err := net.ErrClosed
	c.once.Do(func() {
		close(c.closed)
		err = nil
		if c.state() != BlackHole {
			err = c.Conn.Close()
		}
	})
	return err
}

var _ net.Conn = (*Conn)(nil)

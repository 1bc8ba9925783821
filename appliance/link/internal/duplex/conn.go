package duplex

import (
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// Config is what a Conn needs.
type Config struct {
	In, Out       int    // sizes of the buffers
	Kick          func() // the program wrote, read or closed
	Local, Remote net.Addr
}

// Conn is a net.Conn on one side and an engine's buffers on the other.
type Conn struct {
	cfg     Config
	writing sync.Mutex // one Write at a time, so that they do not mix

	mu     sync.Mutex
	news   *sync.Cond
	in     []byte
	out    []byte
	closed bool  // by the program
	end    error // by the engine: what reads give when in is empty, and writes at once
	rd, wd deadline
}

var _ net.Conn = (*Conn)(nil)

// New makes a Conn.
func New(cfg Config) *Conn {
	c := &Conn{cfg: cfg}
	c.news = sync.NewCond(&c.mu)
	return c
}

// Read implements net.Conn.
func (c *Conn) Read(p []byte) (int, error) {
	n, err := c.read(p)
	if n > 0 {
		c.cfg.Kick()
	}
	return n, err
}

func (c *Conn) read(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		switch {
		case c.closed:
			return 0, c.fail("read", net.ErrClosed)
		case c.rd.passed:
			return 0, c.fail("read", os.ErrDeadlineExceeded)
		case len(p) == 0:
			return 0, nil
		case len(c.in) > 0:
			n := copy(p, c.in)
			c.in = c.in[:copy(c.in, c.in[n:])]
			return n, nil
		case c.end == io.EOF:
			return 0, io.EOF
		case c.end != nil:
			return 0, c.fail("read", c.end)
		}
		c.news.Wait()
	}
}

// Write implements net.Conn.
func (c *Conn) Write(p []byte) (n int, err error) {
	c.writing.Lock()
	defer c.writing.Unlock()
	for {
		k, err := c.write(p[n:])
		n += k
		if k > 0 {
			c.cfg.Kick()
		}
		if err != nil || n == len(p) {
			return n, err
		}
	}
}

// write waits for room and fills it.
func (c *Conn) write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		switch {
		case c.closed:
			return 0, c.fail("write", net.ErrClosed)
		case c.wd.passed:
			return 0, c.fail("write", os.ErrDeadlineExceeded)
		case c.end == io.EOF:
			return 0, c.fail("write", io.ErrClosedPipe)
		case c.end != nil:
			return 0, c.fail("write", c.end)
		case len(p) == 0:
			return 0, nil
		case len(c.out) < c.cfg.Out:
			k := min(len(p), c.cfg.Out-len(c.out))
			c.out = append(c.out, p[:k]...)
			return k, nil
		}
		c.news.Wait()
	}
}

func (c *Conn) fail(op string, err error) error {
	return &net.OpError{Op: op, Net: c.cfg.Remote.Network(), Source: c.cfg.Local, Addr: c.cfg.Remote, Err: err}
}

// Close implements net.Conn. What is in the buffer may still be sent.
func (c *Conn) Close() error {
	c.mu.Lock()
	was := c.closed
	c.closed, c.in = true, nil
	c.rd.stop()
	c.wd.stop()
	c.news.Broadcast()
	c.mu.Unlock()
	if was {
		return c.fail("close", net.ErrClosed)
	}
	c.cfg.Kick()
	return nil
}

// LocalAddr and RemoteAddr implement net.Conn.
func (c *Conn) LocalAddr() net.Addr { return c.cfg.Local }

// RemoteAddr implements net.Conn.
func (c *Conn) RemoteAddr() net.Addr { return c.cfg.Remote }

// SetDeadline implements net.Conn.
func (c *Conn) SetDeadline(t time.Time) error { return c.set(t, &c.rd, &c.wd) }

// SetReadDeadline implements net.Conn.
func (c *Conn) SetReadDeadline(t time.Time) error { return c.set(t, &c.rd) }

// SetWriteDeadline implements net.Conn.
func (c *Conn) SetWriteDeadline(t time.Time) error { return c.set(t, &c.wd) }

func (c *Conn) set(t time.Time, which ...*deadline) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return c.fail("set deadline", net.ErrClosed)
	}
	for _, d := range which {
		d.set(c, t)
	}
	c.news.Broadcast()
	return nil
}

package bridge

import (
	"net"
	"sync"

	"github.com/prompt64/prompt64/frames"
)

// cutMode is how a connection ends.
type cutMode string

// The three ways.
const (
	byClose cutMode = "close"
	byReset cutMode = "reset"
	byHole  cutMode = "black hole" // nothing arrives any more, either way
)

// aim says where a connection is cut: behind byte k of the first frame of a type.
type aim struct {
	dir  frames.Direction
	typ  frames.Type
	k    int
	mode cutMode
}

// cutter cuts one of a client's connections, once.
type cutter struct {
	aim

	mu     sync.Mutex
	seen   int  // frames of the type that began
	fired  bool // the cut was made
	missed bool // the frame was shorter than k
}

// wrap puts the cutter into a connection.
func (c *cutter) wrap(nc net.Conn) net.Conn {
	return &cutConn{Conn: nc, cutter: c}
}

// result tells whether the cut was made within the frame.
func (c *cutter) result() (fired, missed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.fired, c.missed
}

// scanner follows the frames of one direction of one connection.
type scanner struct {
	head  [frames.HeaderSize]byte
	have  int // of the frame so far
	size  int // of the whole frame, once the header is complete
	aimed bool
}

// pass returns how many of b may go through before the cut; cut says that it is
// due behind them.
func (c *cutter) pass(s *scanner, b []byte) (n int, cut bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for n < len(b) && !c.fired && !c.missed {
		if s.have == 0 && frames.Type(b[n]) == c.typ {
			c.seen++
			s.aimed = c.seen == 1
		}
		if s.aimed && s.have == c.k {
			c.fired = true
			return n, true
		}
		s.take(b[n])
		n++
		if s.aimed && s.have == c.k {
			c.fired = true
			return n, true
		}
		if s.have == s.size {
			c.missed = s.aimed
			*s = scanner{}
		}
	}
	return len(b), false
}

// take counts one byte of a frame.
func (s *scanner) take(b byte) {
	if s.have < frames.HeaderSize {
		s.head[s.have] = b
	}
	if s.have++; s.have == frames.HeaderSize {
		s.size = frames.HeaderSize + int(s.head[2]) + int(s.head[3])<<8
	}
}

// cutConn is the client's end of a connection.
type cutConn struct {
	net.Conn
	cutter *cutter
	in     scanner
	out    scanner

	mu   sync.Mutex
	hole bool
}

func (c *cutConn) Read(b []byte) (int, error) {
	for {
		n, err := c.Conn.Read(b)
		if c.lost() && err == nil {
			continue // it arrives, but nobody hears of it
		}
		if n > 0 && c.cutter.dir == frames.ToC64 {
			pass, cut := c.cutter.pass(&c.in, b[:n])
			if cut {
				c.end()
				if pass == 0 {
					continue
				}
				return pass, nil
			}
		}
		return n, err
	}
}

func (c *cutConn) Write(b []byte) (int, error) {
	if c.lost() {
		return len(b), nil
	}
	if c.cutter.dir != frames.ToBridge {
		return c.Conn.Write(b)
	}
	pass, cut := c.cutter.pass(&c.out, b)
	if !cut {
		return c.Conn.Write(b)
	}
	if n, err := c.Conn.Write(b[:pass]); err != nil {
		return n, err
	}
	c.end()
	if c.lost() {
		return len(b), nil
	}
	return pass, net.ErrClosed
}

func (c *cutConn) lost() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hole
}

// end makes the cut.
func (c *cutConn) end() {
	switch c.cutter.mode {
	case byClose:
		_ = c.Conn.Close()
	case byReset:
		cut(c.Conn)
	case byHole:
		c.mu.Lock()
		c.hole = true
		c.mu.Unlock()
	}
}

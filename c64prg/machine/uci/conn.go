package uci

import (
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
)

// conn is a real connection. Its reader and writer stand for lwIP's buffers and
// the wire: faults hold bytes back here, so that neither side can tell.
type conn struct {
	d  *Device
	c  net.Conn
	mu sync.Mutex
	ch *sync.Cond

	in      []byte
	held    int // bytes at the end of in that a black hole hides
	eof     bool
	errno   int
	heldEnd bool // eof and errno came behind a black hole
	out     []byte
	hole    bool
	stuck   uint64 // emulated time of the first byte sent into the hole
	closing bool   // flush and close
	discard bool   // closed by a fault: what still comes is dropped
	dead    bool
	cuts    [2]*cutPoint

	arrived atomic.Uint64
}

func newConn(d *Device, nc net.Conn) *conn {
	c := &conn{d: d, c: nc}
	c.ch = sync.NewCond(&c.mu)
	d.wg.Add(2)
	go c.reader()
	go c.writer()
	return c
}

// reader fills the receive window.
func (c *conn) reader() {
	defer c.d.wg.Done()
	buf := make([]byte, 2048)
	for {
		c.mu.Lock()
		for len(c.in) >= window && !c.dead && !c.discard {
			c.ch.Wait()
		}
		dead := c.dead
		c.mu.Unlock()
		if dead {
			return
		}
		n, err := c.c.Read(buf)
		c.mu.Lock()
		c.deliver(buf[:n])
		if err != nil {
			c.end(err)
		}
		c.mu.Unlock()
		c.d.poke()
		if err != nil {
			return
		}
	}
}

// deliver puts bytes into the window, unless a cut comes first.
func (c *conn) deliver(b []byte) {
	if c.discard || len(b) == 0 {
		return
	}
	cut := c.cuts[In]
	if cut == nil || len(b) < cut.left {
		if cut != nil {
			cut.left -= len(b)
		}
		c.append(b)
		return
	}
	c.append(b[:cut.left])
	rest := b[cut.left:]
	c.cuts[In] = nil
	c.apply(cut.kind)
	if c.hole {
		c.append(rest)
	}
}

func (c *conn) append(b []byte) {
	c.in = append(c.in, b...)
	if c.hole {
		c.held += len(b)
		return
	}
	c.arrived.Add(uint64(len(b)))
}

// end notes how the peer ended the connection.
func (c *conn) end(err error) {
	if c.eof || c.errno != 0 {
		return
	}
	c.eof, c.heldEnd = true, c.hole
	if !errors.Is(err, io.EOF) {
		c.errno = eCONNRESET
	}
}

// writer empties the send buffer onto the wire.
func (c *conn) writer() {
	defer c.d.wg.Done()
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		for (len(c.out) == 0 || c.hole) && !c.closing && !c.dead {
			c.ch.Wait()
		}
		if c.dead {
			return
		}
		if len(c.out) == 0 {
			c.dead = true // closing, and all is sent
			c.c.Close()
			c.ch.Broadcast()
			return
		}
		c.push()
	}
}

// push writes one piece, up to where a cut is due. The lock is not held while
// the wire takes it.
func (c *conn) push() {
	n := len(c.out)
	cut := c.cuts[Out]
	if cut != nil {
		n = min(n, cut.left)
	}
	piece := append([]byte(nil), c.out[:n]...)
	c.mu.Unlock()
	_, err := c.c.Write(piece)
	c.mu.Lock()
	if err != nil {
		c.out = nil
		c.end(err)
		if c.closing {
			c.dead = true
		}
		return
	}
	c.out = c.out[min(n, len(c.out)):]
	if cut != nil {
		if cut.left -= n; cut.left == 0 {
			c.cuts[Out] = nil
			c.apply(cut.kind)
		}
	}
	c.d.poke()
}

package uci

import "net"

// take moves up to n visible bytes to the caller.
func (c *conn) take(n int) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	n = min(n, len(c.in)-c.held)
	if n == 0 {
		return nil
	}
	out := append([]byte(nil), c.in[:n]...)
	c.in = append(c.in[:0], c.in[n:]...)
	c.ch.Broadcast()
	return out
}

// ended says how the connection ended, once all visible bytes are taken. Bytes
// sent into a black hole are given up after a while.
func (c *conn) ended(now uint64) (eof bool, errno int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.hole {
		if c.stuck != 0 && now-c.stuck > c.d.cycles(giveUp) {
			return true, eCONNABORTED
		}
		if c.heldEnd || len(c.in) > c.held {
			return false, 0
		}
		return c.eof, c.errno
	}
	if len(c.in) > 0 {
		return false, 0
	}
	return c.eof, c.errno
}

// send queues what fits into the send buffer and returns how much that was.
func (c *conn) send(b []byte, now uint64) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := min(len(b), c.d.cfg.SendBuffer-len(c.out))
	if n <= 0 {
		return 0
	}
	c.out = append(c.out, b[:n]...)
	if c.hole && c.stuck == 0 {
		c.stuck = now
	}
	c.ch.Broadcast()
	return n
}

func (c *conn) inHole() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hole
}

// finish closes in good order: what is queued is sent first.
func (c *conn) finish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closing = true
	c.ch.Broadcast()
}

// kill closes at once.
func (c *conn) kill() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dead = true
	c.c.Close()
	c.ch.Broadcast()
}

// hangUp resets the connection for the peer.
func (c *conn) hangUp() {
	if t, ok := c.c.(*net.TCPConn); ok {
		_ = t.SetLinger(0)
	}
	c.c.Close()
}

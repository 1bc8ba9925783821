package duplex

// Put gives the program bytes, all of them or none; it reports whether there was
// room. Once the program closed, bytes are no longer taken.
func (c *Conn) Put(p []byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || len(c.in)+len(p) > c.cfg.In {
		return false
	}
	c.in = append(c.in, p...)
	c.news.Broadcast()
	return true
}

// Take moves bytes that the program wrote to p and returns how many.
func (c *Conn) Take(p []byte) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := copy(p, c.out)
	if n > 0 {
		c.out = c.out[:copy(c.out, c.out[n:])]
		c.news.Broadcast()
	}
	return n
}

// Pending is how many bytes the program wrote that were not taken.
func (c *Conn) Pending() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.out)
}

// Closed reports whether the program closed the connection.
func (c *Conn) Closed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}

// End ends the connection: io.EOF is the peer's orderly end. Bytes that were put
// before can still be read. The first end counts.
func (c *Conn) End(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.end == nil {
		c.end = err
	}
	c.news.Broadcast()
}

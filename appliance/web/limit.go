package web

import (
	"net"
	"net/netip"
	"sync"
)

// limited is a listener that closes connections beyond a number at once, so that
// whoever opens many cannot use up the machine's descriptors. The machine's own
// are not counted: guard must reach the health check at all times.
type limited struct {
	net.Listener

	mu    sync.Mutex
	total int
	by    map[netip.Addr]int
}

func newLimited(l net.Listener) *limited {
	return &limited{Listener: l, by: map[netip.Addr]int{}}
}

// Accept waits for a connection that there is room for.
func (l *limited) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		addr := addrOf(c.RemoteAddr().String())
		if addr.IsLoopback() {
			return c, nil
		}
		if l.enter(group(addr)) {
			return &limitedConn{Conn: c, leave: sync.OnceFunc(func() { l.leave(group(addr)) })}, nil
		}
		_ = c.Close()
	}
}

func (l *limited) enter(addr netip.Addr) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.total >= maxConns || l.by[addr] >= maxConnsAddress {
		return false
	}
	l.total++
	l.by[addr]++
	return true
}

func (l *limited) leave(addr netip.Addr) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.total--
	if l.by[addr]--; l.by[addr] == 0 {
		delete(l.by, addr)
	}
}

type limitedConn struct {
	net.Conn
	leave func()
}

// Close makes room for another.
func (c *limitedConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}

package bridge

import (
	"io"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prompt64/prompt64/appliance/lease"
	"github.com/prompt64/prompt64/frames"
)

// conn is one connection, from accept to close.
type conn struct {
	server   *Server
	nc       net.Conn
	addr     string     // the peer's address without its port
	ip       netip.Addr // the same; the zero Addr where there is none
	paired   bool
	attached atomic.Bool
	signs    signs
	reader   *frames.Reader
}

// A lease sees its connection as a Link.
var _ lease.Link = (*conn)(nil)

func newConn(s *Server, nc net.Conn, paired bool) *conn {
	c := &conn{server: s, nc: nc, paired: paired}
	c.addr, c.ip = peerOf(nc)
	return c
}

// peerOf returns the peer's address without its port.
func peerOf(nc net.Conn) (string, netip.Addr) {
	remote := nc.RemoteAddr()
	if remote == nil {
		return "unknown", netip.Addr{}
	}
	if tcp, ok := remote.(*net.TCPAddr); ok {
		ip := plainAddr(tcp.AddrPort().Addr())
		return ip.String(), ip
	}
	return remote.Network() + " " + remote.String(), netip.Addr{}
}

// Addr is the peer's address without its port.
func (c *conn) Addr() string { return c.addr }

// Kill closes the connection without a word.
func (c *conn) Kill() { cut(c.nc) }

// Stale reports whether neither a frame nor an acknowledgement came for a while.
func (c *conn) Stale() bool { return c.Quiet() >= c.server.tuning.stale }

// Quiet is how long the last frame or newly acknowledged byte was ago.
func (c *conn) Quiet() time.Duration {
	c.sample()
	return c.signs.quiet(time.Now())
}

// sample looks at the transport; it reports whether that is dead.
func (c *conn) sample() (dead bool) {
	line, ok := c.server.line(c.nc, c.server.tuning.silence())
	if !ok {
		return false
	}
	c.signs.acknowledged(line.acked, time.Now())
	return line.dead
}

// serve is the connection's reader; it returns when the connection is over.
func (c *conn) serve() {
	if att := c.greet(); att != nil {
		c.converse(att)
	}
}

// refuse ends a connection that has no writer yet with words.
func (c *conn) refuse(words string) {
	_ = c.nc.SetWriteDeadline(time.Now().Add(c.server.tuning.lastWord))
	if c.send(frames.Error{Text: []byte(words)}) == nil {
		c.hangUp()
		c.discard()
	}
}

// send writes one frame; it is for the time before there is a writer.
func (c *conn) send(m frames.Message) error {
	var buf [frames.MaxFrameToC64]byte
	_, err := c.nc.Write(m.AppendTo(buf[:0]))
	return err
}

// hangUp ends the sending half after the last word and leaves the peer a moment
// to read it: closing at once, with bytes of the peer unread, would make TCP
// reset the connection, and the reset may overtake the words.
func (c *conn) hangUp() {
	closeWrite(c.nc)
	_ = c.nc.SetReadDeadline(time.Now().Add(c.server.tuning.linger))
}

// discard reads until the peer has closed or the moment is over.
func (c *conn) discard() {
	_, _ = io.Copy(io.Discard, c.nc)
}

// signs are the signs of life of a connection.
type signs struct {
	mu    sync.Mutex
	acked uint64
	last  time.Time
}

// seen notes a frame.
func (s *signs) seen(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = now
}

// acknowledged notes what the peer's transport has acknowledged so far.
func (s *signs) acknowledged(total uint64, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if total != s.acked {
		s.acked, s.last = total, now
	}
}

func (s *signs) quiet(now time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return now.Sub(s.last)
}

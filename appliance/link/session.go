package link

import (
	"errors"
	"io"
	"sync/atomic"
	"time"

	"github.com/prompt64/prompt64/appliance/link/internal/duplex"
)

// What a connection ends with, beside io.EOF.
var (
	// ErrSilent means that nothing came from the C64 for 15 seconds.
	ErrSilent = errors.New("link: the C64 has been silent for too long")
	// ErrReplaced means that the C64 opened a new connection, as after a reset.
	ErrReplaced = errors.New("link: the C64 opened a new connection")
)

// Conn is a connection to a C64.
type Conn struct {
	*duplex.Conn
	acked atomic.Uint64
}

// Acknowledged is how many bytes the C64 has taken into its own buffers.
func (c *Conn) Acknowledged() uint64 { return c.acked.Load() }

// session is the protocol's side of a Conn; the line's goroutine owns it.
type session struct {
	nonce uint16
	conn  *Conn
	send  sender
	recv  receiver

	heard  time.Time // the last valid packet
	pinged time.Time // the last PING since then

	closing time.Time // since when the program has closed it; zero: it has not
	tries   int       // CLOSE that were sent
	again   time.Time // when CLOSE is sent again
}

// take handles a packet of this session's nonce. It reports whether the session
// is over.
func (s *session) take(l *line, p Packet, now time.Time) (over bool) {
	s.heard, s.pinged = now, time.Time{}
	switch p.Kind {
	case Open:
		l.answer(Packet{Kind: Opened, Nonce: s.nonce})
	case Data:
		if !s.closing.IsZero() {
			break // nobody will read it
		}
		if a, ok := s.recv.data(p.Number, p.Data, s.conn.Put); ok {
			a.Nonce = s.nonce
			l.answer(a)
		}
	case Ack:
		s.conn.acked.Add(uint64(s.send.ack(p.Number, now)))
	case Wait:
		s.send.wait(p.Number, now.Add(l.tune.retryFull))
	case Ping:
		l.answer(Packet{Kind: Pong, Nonce: s.nonce})
	case Close:
		if s.tries == 0 { // else it is the answer to ours
			l.answer(Packet{Kind: Close, Nonce: s.nonce})
		}
		s.conn.End(io.EOF)
		return true
	}
	return false
}

// work does what is due without a packet. It reports whether the session is over.
func (s *session) work(l *line, now time.Time) (over bool) {
	if !now.Before(s.heard.Add(silentDeath)) {
		s.conn.End(ErrSilent)
		return true
	}
	if s.closing.IsZero() {
		if s.conn.Closed() {
			s.closing = now
		} else if s.recv.flush(s.conn.Put) > 0 {
			a := s.recv.ack()
			a.Nonce = s.nonce
			l.answer(a)
		}
	}
	s.send.fill(s.conn.Take, now)
	if !s.closing.IsZero() {
		return s.finish(l, now)
	}
	if ping := s.pingDue(l); !ping.After(now) {
		s.pinged = now
		l.answer(Packet{Kind: Ping, Nonce: s.nonce})
	}
	return false
}

// finish sends what is left of a connection that the program has closed, then
// CLOSE until it is answered, a few times.
func (s *session) finish(l *line, now time.Time) (over bool) {
	flushed := s.send.idle() && s.conn.Pending() == 0
	if s.tries == 0 && !flushed && now.Before(s.closing.Add(l.tune.linger)) {
		return false
	}
	if now.Before(s.again) {
		return false
	}
	if s.tries == l.tune.lastTries {
		return true
	}
	s.tries++
	s.again = now.Add(ResendAfter(l.baud))
	l.answer(Packet{Kind: Close, Nonce: s.nonce})
	return false
}

func (s *session) pingDue(l *line) time.Time {
	if s.pinged.IsZero() {
		return s.heard.Add(pingAfter)
	}
	return s.pinged.Add(l.tune.pingAgain)
}

// due is when work is next needed.
func (s *session) due(l *line) time.Time {
	at := s.heard.Add(silentDeath)
	switch {
	case s.closing.IsZero():
		at = earlier(at, s.pingDue(l))
	case s.tries == 0:
		at = earlier(at, s.closing.Add(l.tune.linger))
	default:
		at = earlier(at, s.again)
	}
	return at
}

// sendDue is when a DATA is next due; the zero time is never.
func (s *session) sendDue() time.Time {
	if s.tries > 0 {
		return time.Time{}
	}
	return s.send.due()
}

// data returns the DATA that is to be sent now.
func (s *session) data(l *line, now time.Time) (p Packet, o *sent, ok bool) {
	if s.tries > 0 {
		return p, nil, false // CLOSE has been sent
	}
	number, o, ok := s.send.next(now)
	if !ok {
		return p, nil, false
	}
	return Packet{Kind: Data, Nonce: s.nonce, Number: number, Data: o.data}, o, true
}

// earlier is the earlier of two times; the zero time is never.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

package link

import (
	"time"

	"github.com/prompt64/prompt64/appliance/link/internal/duplex"
)

// take handles a packet of the C64.
func (l *line) take(p Packet, now time.Time, closed bool) {
	s := l.session
	if s != nil && p.Nonce == s.nonce {
		if s.take(l, p, now) {
			l.session = nil
		}
		return
	}
	switch p.Kind {
	case Open:
		l.open(p, now, closed)
	case Data, Ack, Wait, Ping:
		l.answer(Packet{Kind: Close, Nonce: p.Nonce})
	}
}

// open makes a new connection in place of the one that is there.
func (l *line) open(p Packet, now time.Time, closed bool) {
	if p.Number != Version || closed {
		if p.Number != Version && !l.warned {
			l.warned = true
			l.log.Warn("a C64 speaks another version of the link: update its program", "version", p.Number, "ours", Version)
		}
		l.answer(Packet{Kind: Busy, Nonce: p.Nonce})
		return
	}
	if l.session != nil {
		l.session.conn.End(ErrReplaced)
	}
	c := &Conn{Conn: duplex.New(duplex.Config{
		In: l.tune.inBuffer, Out: l.tune.outBuffer, Kick: l.poke,
		Local: l.addr, Remote: Addr("C64 on " + string(l.addr)),
	})}
	l.session = &session{nonce: p.Nonce, conn: c, heard: now}
	l.controls = l.controls[:0]
	l.answer(Packet{Kind: Opened, Nonce: p.Nonce})
	select { // one that nobody accepted is dead by now
	case old := <-l.newest:
		_ = old.Close()
	default:
	}
	l.newest <- c
}

// answer queues a packet that is not DATA. A newer ACK stands for an older one,
// and what is queued already need not be said twice.
func (l *line) answer(p Packet) {
	p.Bridge = true
	for i := range l.controls {
		if q := &l.controls[i]; q.Kind == p.Kind && q.Nonce == p.Nonce && (p.Kind == Ack || q.Number == p.Number) {
			q.Number = p.Number
			return
		}
	}
	if len(l.controls) < l.tune.controls {
		l.controls = append(l.controls, p)
	}
}

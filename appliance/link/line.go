package link

import (
	"log/slog"
	"net"
	"time"

	"github.com/prompt64/prompt64/appliance/link/internal/duplex"
)

// line is the owner of one serial line: its goroutine holds the session and
// decides what is sent. The port may come and go beneath it.
type line struct {
	addr Addr
	baud int
	tune tuning
	log  *slog.Logger

	packets chan Packet
	attach  chan *wire    // the port is there
	detach  chan *wire    // the port is gone
	kick    chan struct{} // the program wrote, read or closed something
	newest  chan *Conn    // cap 1: a connection that nobody accepted yet

	session  *session
	wire     *wire
	busy     bool      // the writer has something
	free     time.Time // when the wire will have sent all that was written
	controls []Packet
	warned   bool      // of a link version
	ending   time.Time // since when nothing but last words is left
}

func newLine(cfg Config, tune tuning) *line {
	return &line{
		addr:    Addr(cfg.Port),
		baud:    cfg.Baud,
		tune:    tune,
		log:     cfg.Log,
		packets: make(chan Packet),
		attach:  make(chan *wire),
		detach:  make(chan *wire),
		kick:    make(chan struct{}, 1),
		newest:  make(chan *Conn, 1),
	}
}

// poke wakes the line's goroutine.
func (l *line) poke() {
	select {
	case l.kick <- struct{}{}:
	default:
	}
}

// run works until the listener is closed and no connection is left.
func (l *line) run(closed <-chan struct{}) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		now := time.Now()
		l.work(now)
		if isClosed(closed) && l.session == nil && l.drained(now) {
			return
		}
		l.sleep(timer, now)
		var written <-chan struct{}
		if l.wire != nil {
			written = l.wire.written
		}
		select {
		case p := <-l.packets:
			l.take(p, time.Now(), isClosed(closed))
		case <-written:
			l.busy = false
		case w := <-l.attach:
			l.wire, l.busy, l.free = w, false, time.Time{}
		case w := <-l.detach:
			if l.wire == w {
				l.wire = nil
			}
		case <-l.kick:
		case <-timer.C:
		}
	}
}

// sleep sets the timer to when there is next something to do. What cannot be
// sent now, for want of a port or since the writer is busy, wakes by itself.
func (l *line) sleep(timer *time.Timer, now time.Time) {
	at := now.Add(time.Minute)
	if l.session != nil {
		at = earlier(at, l.session.due(l))
	}
	if !l.ending.IsZero() {
		at = now.Add(l.tune.ahead)
	}
	if l.wire != nil && !l.busy {
		at = earlier(at, l.sendDue(now))
	}
	timer.Reset(at.Sub(now))
}

// sendDue is when there is next something to send and the wire is ready for it;
// the zero time is never.
func (l *line) sendDue(now time.Time) (at time.Time) {
	ready := l.free.Add(-l.tune.ahead)
	switch {
	case len(l.controls) > 0:
		at = now
	case l.session != nil:
		at = l.session.sendDue()
	}
	if !at.IsZero() && at.Before(ready) {
		at = ready
	}
	return at
}

// ready says that the wire has sent nearly all that was written, so that what
// comes now need not wait long behind it.
func (l *line) ready(now time.Time) bool { return !now.Before(l.free.Add(-l.tune.ahead)) }

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

// drained says, at the end, that the last words have left, or have had their time.
func (l *line) drained(now time.Time) bool {
	if l.ending.IsZero() {
		l.ending = now
	}
	sent := len(l.controls) == 0 && !l.busy && !now.Before(l.free)
	return l.wire == nil || sent || !now.Before(l.ending.Add(l.tune.linger))
}

// work does everything that is due.
func (l *line) work(now time.Time) {
	if l.session != nil && l.session.work(l, now) {
		l.session = nil
	}
	if l.wire == nil || l.busy || !l.ready(now) {
		return
	}
	if len(l.controls) > 0 {
		l.write(l.controls[0], now)
		l.controls = l.controls[:copy(l.controls, l.controls[1:])]
		return
	}
	if l.session == nil {
		return
	}
	p, o, ok := l.session.data(l, now)
	if !ok {
		return
	}
	if rest := l.wire.backlog(l.baud); rest > l.tune.ahead {
		o.due = now.Add(rest) // the C64 holds the line
		return
	}
	l.write(p, now)
	o.due = l.free.Add(ResendAfter(l.baud))
	if o.paused {
		o.due = l.free.Add(max(l.tune.retryFull, ResendAfter(l.baud)))
	}
}

// write hands a packet to the writer, which is idle.
func (l *line) write(p Packet, now time.Time) {
	p.Bridge = true
	frame := p.AppendTo(nil)
	if l.free.Before(now) {
		l.free = now
	}
	l.free = l.free.Add(WireTime(len(frame), l.baud))
	l.busy = true
	l.wire.out <- frame
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// Addr is a serial port as an address.
type Addr string

var _ net.Addr = Addr("")

// Network implements net.Addr.
func (a Addr) Network() string { return "serial" }

// String implements net.Addr.
func (a Addr) String() string { return string(a) }

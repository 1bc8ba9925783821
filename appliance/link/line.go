package link

import (
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/prompt64/prompt64/appliance/hang"
)

// line is the owner of one serial line: its goroutine holds the session and
// decides what is sent. The port may come and go beneath it.
type line struct {
	addr Addr
	baud int
	tune tuning
	log  *slog.Logger

	turns atomic.Uint64 // of run, to see that it is not stuck

	packets chan Packet
	attach  chan *wire    // the port is there
	detach  chan *wire    // the port is gone
	kick    chan struct{} // the program wrote, read or closed something
	newest  chan *Conn    // cap 1: a connection that nobody accepted yet

	abandoned chan error // cap 1: the keeper is gone

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

		abandoned: make(chan error, 1),
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
		l.turns.Add(1)
		hang.Here("serial line")
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
		case err := <-l.abandoned:
			l.end(err)
			return
		case <-timer.C:
		}
	}
}

// end ends the connection for a fault.
func (l *line) end(fault error) {
	if s := l.session; s != nil {
		l.session = nil
		s.conn.End(fault)
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

// drained says, at the end, that the last words have left, or have had their time.
func (l *line) drained(now time.Time) bool {
	if l.ending.IsZero() {
		l.ending = now
	}
	sent := len(l.controls) == 0 && !l.busy && !now.Before(l.free)
	return l.wire == nil || sent || !now.Before(l.ending.Add(l.tune.linger))
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

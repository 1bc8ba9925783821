package uci

import (
	"net"
	"time"
)

// Cut is a way in which a line can break.
type Cut int

// The ways in which a line breaks. BlackHole: nothing arrives any more, nothing
// is acknowledged, and nobody is told. Reset and Close end the connection for
// both sides.
const (
	BlackHole Cut = iota
	Reset
	Close
)

// Direction is seen from the C64.
type Direction int

// In is from the bridge to the C64, Out the other way.
const (
	In Direction = iota
	Out
)

// cutPoint is a cut that is due after some more bytes.
type cutPoint struct {
	left int
	dir  Direction
	kind Cut
}

// faults are those that are switched on.
type faults struct {
	off, wedged, refuse, noAnswer, noDNS, hole, lose bool
	lag, gap                                         time.Duration
	fragment, short                                  int
	armed                                            *cutPoint
	connect                                          int
}

// Off switches the interface off in the Ultimate's menu: every register reads
// $FF.
func (d *Device) Off(on bool) { d.faults.off = on }

// Wedge makes every command stay busy for ever; ABORT does not help.
func (d *Device) Wedge(on bool) { d.faults.wedged = on }

// Refuse makes the host refuse connections.
func (d *Device) Refuse(on bool) { d.faults.refuse = on }

// NoAnswer makes connections fail after the firmware's long patience.
func (d *Device) NoAnswer(on bool) { d.faults.noAnswer = on }

// FailConnect makes connections fail at once with one of newlib's error numbers,
// such as 118 where there is no route; 0 ends it.
func (d *Device) FailConnect(number int) { d.faults.connect = number }

// NoDNS makes every name unknown.
func (d *Device) NoDNS(on bool) { d.faults.noDNS = on }

// Lag delays what arrives by emulated time.
func (d *Device) Lag(t time.Duration) { d.faults.lag = t }

// Fragment makes bytes arrive in pieces of n, gap apart; 0 ends it.
func (d *Device) Fragment(n int, gap time.Duration) { d.faults.fragment, d.faults.gap = n, gap }

// ShortWrite makes the next longer WRITE take n bytes only.
func (d *Device) ShortWrite(n int) { d.faults.short = n }

// LoseCommand makes the next command disappear, as a race in firmware before
// 3.14 does now and then: it stays busy until ABORT.
func (d *Device) LoseCommand() { d.faults.lose = true }

// LeaveCommand leaves bytes of an earlier program in the command queue.
func (d *Device) LeaveCommand(b []byte) { d.cmdLen = copy(d.cmd[:maxCommand], b) }

// LeaveData leaves an unacknowledged reply of an earlier program.
func (d *Device) LeaveData(b []byte) { d.show(reply{data: b, status: stOK}) }

// Cut breaks every open connection now. In a black hole new connections get no
// answer either, until Mend.
func (d *Device) Cut(kind Cut) {
	d.faults.hole = kind == BlackHole
	for _, s := range d.socks {
		if s != nil && s.conn != nil {
			s.conn.cut(kind)
		}
	}
}

// Mend ends a black hole: connections that both sides still have go on, and
// what was held arrives. Those that the C64 gave up meanwhile stay silent.
func (d *Device) Mend() {
	d.faults.hole = false
	for _, s := range d.socks {
		if s != nil && s.conn != nil {
			s.conn.mend()
		}
	}
}

// CutAfter breaks the newest connection (the next one, when none is open) after
// exactly k more bytes in a direction have been delivered. A black hole made so
// swallows that connection alone: later ones get through.
func (d *Device) CutAfter(k int, dir Direction, kind Cut) {
	p := cutPoint{k, dir, kind}
	if s := d.newest; s != nil && d.socks[s.number] == s {
		s.conn.arm(p)
		return
	}
	d.faults.armed = &p
}

func (c *conn) arm(p cutPoint) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.left == 0 {
		c.apply(p.kind)
		return
	}
	c.cuts[p.dir] = &p
}

func (c *conn) cut(kind Cut) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.apply(kind)
}

// apply breaks the connection; the lock is held.
func (c *conn) apply(kind Cut) {
	switch kind {
	case BlackHole:
		c.hole = true
	case Reset:
		c.hangUp()
		c.discard, c.eof, c.errno, c.out = true, true, eCONNRESET, nil
	case Close:
		if t, ok := c.c.(*net.TCPConn); ok {
			_ = t.CloseWrite()
		} else {
			c.c.Close()
		}
		c.discard, c.eof, c.out = true, true, nil
	}
	c.ch.Broadcast()
	c.d.poke()
}

func (c *conn) mend() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.hole {
		return
	}
	c.hole, c.heldEnd, c.stuck = false, false, 0
	c.arrived.Add(uint64(c.held))
	c.held = 0
	c.ch.Broadcast()
	c.d.poke()
}

package uci

import (
	"fmt"
	"net"
	"time"
)

// sock is one of the firmware's sockets, seen from the emulated side.
type sock struct {
	number  int
	conn    *conn
	chunks  []chunk // bytes on their way to the program
	queued  int     // bytes in chunks
	reset   bool    // the program was told of the error once
	wrote   uint64  // time of the last WRITE
	seen    uint64  // bytes that had arrived by then
	expects bool
}

// chunk is a segment that arrives at a time.
type chunk struct {
	at   uint64
	data []byte
}

func (d *Device) opened(s *sock, c net.Conn) {
	s.conn = newConn(d, c)
	d.newest = s
	if d.faults.hole { // it opened while the attempt was under way
		s.conn.cut(BlackHole)
	}
	if a := d.faults.armed; a != nil {
		d.faults.armed = nil
		s.conn.arm(*a)
	}
}

// pull moves what arrived for real into emulated time, with lag and fragments.
func (d *Device) pull(s *sock, now uint64) {
	if s.queued >= window {
		return
	}
	data := s.conn.take(window - s.queued)
	at := now + d.cycles(d.faults.lag)
	for len(data) > 0 {
		n := len(data)
		if d.faults.fragment > 0 {
			n = min(n, d.faults.fragment)
			if k := len(s.chunks); k > 0 {
				at = max(at, s.chunks[k-1].at+d.cycles(d.faults.gap))
			}
		}
		s.chunks = append(s.chunks, chunk{at, data[:n]})
		s.queued += n
		data = data[n:]
	}
}

// recv takes up to n bytes that have arrived by now.
func (s *sock) recv(n int, now uint64) []byte {
	var out []byte
	for len(s.chunks) > 0 && s.chunks[0].at <= now && len(out) < n {
		c := &s.chunks[0]
		k := min(n-len(out), len(c.data))
		out = append(out, c.data[:k]...)
		c.data = c.data[k:]
		if len(c.data) == 0 {
			s.chunks = s.chunks[1:]
		}
	}
	s.queued -= len(out)
	return out
}

// socket finds one of the program's sockets.
func (d *Device) socket(n int) *sock {
	if n >= maxSockets || d.socks[n] == nil || d.socks[n].conn == nil {
		return nil
	}
	return d.socks[n]
}

func (d *Device) closeSocket(n int) op {
	if n < maxSockets && d.foreign[n] {
		d.cfg.Violate(fmt.Sprintf("uci: CLOSE of socket %d, which belongs to another service", n))
		if !d.cfg.Profile.OwnSockets {
			d.foreign[n] = false
			return answer(stOK)
		}
	}
	if d.socket(n) == nil {
		d.cfg.Violate(fmt.Sprintf("uci: CLOSE of socket %d, which is not open", n))
		return answer(fmt.Sprintf(fmtClose, eBADF))
	}
	d.release(n)
	return answer(stOK)
}

// release closes a socket in good order. In a black hole nobody hears of it:
// the peer keeps a connection that looks alive.
func (d *Device) release(n int) {
	s := d.socks[n]
	d.socks[n] = nil
	if s == nil || s.conn == nil {
		return
	}
	if s.conn.inHole() {
		d.ghosts = append(d.ghosts, s.conn)
		return
	}
	s.conn.finish()
}

// Open lists the numbers of the program's open sockets.
func (d *Device) Open() []int {
	var out []int
	for i := range d.socks {
		if d.socket(i) != nil {
			out = append(out, i)
		}
	}
	return out
}

// AwaitsAnswer says that bytes were sent and that none came back yet, or that a
// connection is being made, and since when: the peer needs real time now.
func (d *Device) AwaitsAnswer(now uint64) (since uint64, ok bool) {
	if d.waits && d.run != nil && !d.isRead {
		return d.began, true
	}
	for _, s := range d.socks {
		if s == nil || s.conn == nil || !s.expects {
			continue
		}
		if s.conn.arrived.Load() != s.seen || now-s.wrote > d.cycles(answerWindow) {
			s.expects = false
			continue
		}
		if !s.conn.inHole() && (!ok || s.wrote > since) {
			since, ok = s.wrote, true
		}
	}
	return since, ok
}

// AwaitsNetwork says that a READ waits for bytes that could come.
func (d *Device) AwaitsNetwork() bool { return d.waits }

// Wait sleeps for real time, or until something arrives.
func (d *Device) Wait(t time.Duration) {
	if d.timer == nil {
		d.timer = time.NewTimer(t)
	} else {
		d.timer.Reset(t)
	}
	select {
	case <-d.wake:
		d.timer.Stop()
	case <-d.timer.C:
	}
}

// poke ends a Wait.
func (d *Device) poke() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

package linktest

import (
	"time"

	"github.com/prompt64/prompt64/appliance/link"
)

// poll does what is due; an error ends the connection.
func (d *driver) poll(now time.Time) error {
	if d.err != nil {
		return d.err
	}
	switch d.state {
	case asking:
		if d.conn.Closed() {
			return ErrSilent
		}
		if !now.Before(d.asked.Add(openEvery)) {
			d.asked = now
			d.put(link.Open, link.Version, nil)
		}
		return d.err
	case leaving:
		if !now.Before(d.left.Add(closing)) {
			return ErrSilent
		}
		return nil
	}
	if !now.Before(d.heard.Add(deadAfter)) {
		return ErrSilent
	}
	d.deliver()
	d.fill(now)
	d.transmit(now)
	switch {
	case d.conn.Closed() && d.left.IsZero():
		d.left = now
	case !d.left.IsZero() && (d.first == d.after || !now.Before(d.left.Add(closing))):
		d.state, d.left = leaving, now
		d.put(link.Close, 0, nil)
	case !now.Before(d.pingDue()):
		d.pinged = now
		d.put(link.Ping, 0, nil)
	}
	return d.err
}

// fill puts new bytes into a free send buffer.
func (d *driver) fill(now time.Time) {
	for d.after-d.first < 2 && !d.full() {
		buf := make([]byte, link.MaxData)
		n := d.conn.Take(buf)
		if n == 0 {
			return
		}
		d.send[d.after&1] = packet{data: buf[:n], again: now}
		d.after++
	}
}

// full says that the bridge has no room for the oldest DATA.
func (d *driver) full() bool { return d.first != d.after && d.send[d.first&1].full }

// transmit sends what is due, the oldest first.
func (d *driver) transmit(now time.Time) {
	for number := d.first; number != d.after; number++ {
		if number != d.first && d.full() {
			return // it would not be taken either
		}
		s := &d.send[number&1]
		if now.Before(s.again) {
			continue
		}
		d.put(link.Data, number, s.data)
		s.again = now.Add(link.ResendAfter(d.cfg.Baud) + link.WireTime(2*len(s.data), d.cfg.Baud))
		if s.full {
			s.again = now.Add(againFull)
		}
	}
}

func (d *driver) pingDue() time.Time {
	if d.pinged.IsZero() {
		return d.heard.Add(pingAfter)
	}
	return d.pinged.Add(pingAfter / 2)
}

// due is when poll is next needed.
func (d *driver) due() time.Time {
	switch d.state {
	case asking:
		return d.asked.Add(openEvery)
	case leaving:
		return d.left.Add(closing)
	}
	at := d.heard.Add(deadAfter)
	next := func(t time.Time) {
		if t.Before(at) {
			at = t
		}
	}
	next(d.pingDue())
	if !d.left.IsZero() {
		next(d.left.Add(closing))
	}
	for number := d.first; number != d.after; number++ {
		next(d.send[number&1].again)
		if d.full() {
			break
		}
	}
	return at
}

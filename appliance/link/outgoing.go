package link

import "time"

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
	o.tries++
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

package wifi

import (
	"context"
	"time"
)

// wake is why a wait ended.
type wake uint8

const (
	over    wake = iota // the time is over
	ended               // ctx is done
	renewed             // the settings changed, see wish.fresh
	woken               // there was an event
)

// wait waits for d or something that happens, and answers scans of the pages.
func (k *keeper) wait(ctx context.Context, d time.Duration) (wake, Event) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	scans := k.scans
	if k.busy {
		scans = nil
	}
	alive := time.NewTicker(k.cfg.Pet(ctx))
	defer alive.Stop()
	for {
		select {
		case <-alive.C:
			k.cfg.Pet(ctx)
		case <-ctx.Done():
			return ended, Event{}
		case <-timer.C:
			return over, Event{}
		case s, ok := <-k.changes:
			if !ok {
				k.changes = nil
			} else if k.wish.take(s.Wifi) {
				k.pause.reset()
				return renewed, Event{}
			}
		case e, ok := <-k.events:
			if !ok {
				k.events = nil
			} else if k.concerns(e) {
				return woken, e
			}
		case r := <-scans:
			found, err := k.scanFor(r.ctx)
			r.reply <- scanReply{found, err}
			if k.wish.fresh { // the scan waited as well
				return renewed, Event{}
			}
		}
	}
}

// concerns reports whether an event is about the interface in use or all of them,
// and remembers why an association ended.
func (k *keeper) concerns(e Event) bool {
	if e.Kind == Changed {
		return true
	}
	if e.Interface != k.iface.Index {
		return false
	}
	if e.Kind == Lost {
		k.lost = e
	}
	return true
}

// undisturbed runs f while no page may scan.
func (k *keeper) undisturbed(f func() *Failure) *Failure {
	was := k.busy
	k.busy = true
	defer func() { k.busy = was }()
	return f()
}

// drain forgets what happened before.
func (k *keeper) drain() {
	for {
		select {
		case _, ok := <-k.events:
			if !ok {
				k.events = nil
				return
			}
		default:
			return
		}
	}
}

// pause grows from one failure to the next.
type pause struct{ last time.Duration }

func (p *pause) next() time.Duration {
	p.last = min(max(2*p.last, pauseMin), pauseMax)
	return p.last
}

func (p *pause) reset() { p.last = 0 }

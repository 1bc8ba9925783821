package mdns

import (
	"math/rand/v2"
	"time"
)

// event is something to do at a time.
type event struct {
	at  time.Time
	era int // of another one, it is not done any more
	do  func()
}

// after does something later, unless everything begins anew meanwhile.
func (r *Responder) after(d time.Duration, do func()) {
	r.due = append(r.due, event{time.Now().Add(d), r.era, do})
}

// next is the index of what is due first; -1: nothing is.
func (r *Responder) next() int {
	first := -1
	for i, e := range r.due {
		if first < 0 || e.at.Before(r.due[first].at) {
			first = i
		}
	}
	return first
}

func (r *Responder) untilNext() time.Duration {
	if i := r.next(); i >= 0 {
		return max(0, time.Until(r.due[i].at))
	}
	return time.Hour
}

func (r *Responder) doNext() {
	i := r.next()
	if i < 0 || time.Now().Before(r.due[i].at) {
		return
	}
	e := r.due[i]
	r.due = append(r.due[:i], r.due[i+1:]...)
	if e.era == r.era {
		e.do()
	}
}

func random(from, to time.Duration) time.Duration {
	return from + rand.N(to-from)
}

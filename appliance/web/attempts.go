package web

import (
	"net/netip"
	"sync"
	"time"
)

// How wrong passwords are slowed down: an address by itself, then all together,
// since an attacker may have many addresses. Whoever is signed in feels nothing.
const (
	freeAttempts = 5                // wrong ones of an address before it must wait
	firstWait    = 30 * time.Second // doubled with each further one
	longestWait  = 15 * time.Minute
	forgetAfter  = time.Hour

	allAttempts = 40 // wrong ones of everybody within allWindow
	allWindow   = 10 * time.Minute

	maxTrying = 4 // passwords that are looked at or wait for it; each takes 19 MB and a while
)

// attempts counts wrong passwords.
type attempts struct {
	now func() time.Time

	mu     sync.Mutex
	by     map[netip.Addr]*tries
	all    []time.Time // of wrong ones, the oldest first
	trying int
}

type tries struct {
	wrong int
	last  time.Time
	until time.Time
}

func newAttempts(now func() time.Time) *attempts {
	return &attempts{now: now, by: map[netip.Addr]*tries{}}
}

// begin reports how long addr must wait before it may try a password; if it need
// not, end must be called with the outcome. The wrong guess is counted here and
// taken back by a right one, so that many at once are not judged as one.
func (a *attempts) begin(addr netip.Addr) (wait time.Duration, end func(right bool)) {
	addr = group(addr)
	now := a.now()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.forget(now)
	t := a.by[addr]
	switch {
	case t != nil && now.Before(t.until):
		return t.until.Sub(now), nil
	case len(a.all) >= allAttempts:
		return a.all[0].Add(allWindow).Sub(now), nil
	case a.trying >= maxTrying, t == nil && len(a.by) >= maxAddresses:
		return time.Second, nil
	}
	a.trying++
	a.wrong(addr, now)
	return 0, func(right bool) { a.end(addr, right) }
}

func (a *attempts) wrong(addr netip.Addr, now time.Time) {
	t := a.by[addr]
	if t == nil {
		t = &tries{}
		a.by[addr] = t
	}
	t.wrong++
	t.last = now
	if over := t.wrong - freeAttempts; over >= 0 {
		t.until = now.Add(min(firstWait<<min(over, 10), longestWait))
	}
	a.all = append(a.all, now)
}

func (a *attempts) end(addr netip.Addr, right bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.trying--
	if !right {
		return
	}
	delete(a.by, addr)
	if n := len(a.all); n > 0 {
		a.all = a.all[:n-1]
	}
}

func (a *attempts) forget(now time.Time) {
	for len(a.all) > 0 && now.Sub(a.all[0]) >= allWindow {
		a.all = a.all[1:]
	}
	for addr, t := range a.by {
		if now.Sub(t.last) >= forgetAfter {
			delete(a.by, addr)
		}
	}
}

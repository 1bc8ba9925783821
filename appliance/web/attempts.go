package web

import (
	"net/netip"
	"sync"
	"time"
)

// How wrong passwords are slowed down: an address by itself, then all together,
// since an attacker may have many addresses. An IPv6 network counts as one address,
// so a machine in it can keep the others of it waiting, and many machines everybody;
// only a browser that has signed in before (known.go) is counted by itself and waits
// for nobody. One that has not comes by the IPv4 address, which is counted apart.
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
	by     map[guesser]*tries
	all    []time.Time // of wrong ones, the oldest first
	trying int
}

// guesser is whose wrong passwords are counted together: a known browser, or the
// strangers of an address.
type guesser struct {
	known string
	addr  netip.Addr
}

func (v *visit) guesser() guesser {
	if name := v.known(); name != "" {
		return guesser{known: name}
	}
	return guesser{addr: group(v.from())}
}

type tries struct {
	wrong int
	last  time.Time
	until time.Time
}

func newAttempts(now func() time.Time) *attempts {
	return &attempts{now: now, by: map[guesser]*tries{}}
}

// begin reports how long somebody must wait before a password is looked at; if not
// at all, end must be called with the outcome. The wrong guess is counted here and
// taken back by a right one, so that many at once are not judged as one.
func (a *attempts) begin(who guesser) (wait time.Duration, end func(right bool)) {
	now := a.now()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.forget(now)
	t := a.by[who]
	switch {
	case t != nil && now.Before(t.until):
		return t.until.Sub(now), nil
	case who.known == "" && len(a.all) >= allAttempts:
		return a.all[0].Add(allWindow).Sub(now), nil
	case a.trying >= maxTrying, t == nil && len(a.by) >= maxAddresses:
		return time.Second, nil
	}
	a.trying++
	a.wrong(who, now)
	return 0, func(right bool) { a.end(who, right) }
}

func (a *attempts) wrong(who guesser, now time.Time) {
	t := a.by[who]
	if t == nil {
		t = &tries{}
		a.by[who] = t
	}
	t.wrong++
	t.last = now
	if over := t.wrong - freeAttempts; over >= 0 {
		t.until = now.Add(min(firstWait<<min(over, 10), longestWait))
	}
	if who.known == "" {
		a.all = append(a.all, now)
	}
}

func (a *attempts) end(who guesser, right bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.trying--
	if !right {
		return
	}
	delete(a.by, who)
	if n := len(a.all); n > 0 && who.known == "" {
		a.all = a.all[:n-1]
	}
}

func (a *attempts) forget(now time.Time) {
	for len(a.all) > 0 && now.Sub(a.all[0]) >= allWindow {
		a.all = a.all[1:]
	}
	for who, t := range a.by {
		if now.Sub(t.last) >= forgetAfter {
			delete(a.by, who)
		}
	}
}

package bridge

import (
	"net/netip"
	"time"
)

// Pairing codes are short enough to be typed, so guessing must be slow.
const (
	maxWrongCodes   = 5           // within wrongWindow, from one address
	wrongWindow     = time.Minute // and lock the address out for as long
	maxLockoutAddrs = 256         // addresses remembered; the oldest goes first
	lockoutV6Bits   = 64          // a host owns its whole /64
)

// lockout counts wrong codes by address. Its size is bounded: what an attacker
// gains by flooding it out from hundreds of addresses, five more guesses each,
// is nothing against the 34^8 codes there are.
type lockout struct {
	byAddr map[netip.Addr]*guesses
}

// guesses are the times of an address's latest wrong codes, oldest first.
type guesses struct {
	at    []time.Time
	until time.Time // locked before that
}

func lockoutKey(addr netip.Addr) netip.Addr {
	if addr.Is6() {
		if prefix, err := addr.Prefix(lockoutV6Bits); err == nil {
			return prefix.Addr()
		}
	}
	return addr
}

func (l *lockout) locked(addr netip.Addr, now time.Time) bool {
	g := l.byAddr[lockoutKey(addr)]
	return g != nil && now.Before(g.until)
}

func (l *lockout) forget(addr netip.Addr) {
	delete(l.byAddr, lockoutKey(addr))
}

// count notes a wrong code.
func (l *lockout) count(addr netip.Addr, now time.Time) {
	key := lockoutKey(addr)
	g := l.byAddr[key]
	if g == nil {
		g = l.add(key)
	}
	for len(g.at) > 0 && now.Sub(g.at[0]) >= wrongWindow {
		g.at = g.at[1:]
	}
	g.at = append(g.at, now)
	if len(g.at) >= maxWrongCodes {
		g.at, g.until = nil, now.Add(wrongWindow)
	}
}

func (l *lockout) add(key netip.Addr) *guesses {
	if l.byAddr == nil {
		l.byAddr = make(map[netip.Addr]*guesses)
	}
	if len(l.byAddr) >= maxLockoutAddrs {
		l.evict()
	}
	g := &guesses{}
	l.byAddr[key] = g
	return g
}

// evict forgets the address whose last wrong code is the longest ago.
func (l *lockout) evict() {
	var oldest netip.Addr
	var when time.Time
	for addr, g := range l.byAddr {
		last := g.until.Add(-wrongWindow)
		if n := len(g.at); n > 0 {
			last = g.at[n-1]
		}
		if !oldest.IsValid() || last.Before(when) {
			oldest, when = addr, last
		}
	}
	delete(l.byAddr, oldest)
}

package bridge

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"time"
)

// Pairing says who may drive the agent. Its zero value lets nobody in but
// serial lines. It is safe for concurrent use, and both its parts may change
// while a Server uses it; connections that passed before are left alone.
type Pairing struct {
	mu    sync.Mutex
	allow []netip.Prefix
	code  string
	wrong lockout
}

// NewPairing returns a Pairing that lets the networks in allow pass, and any
// other address that knows code. An empty code pairs nobody.
func NewPairing(code string, allow []netip.Prefix) *Pairing {
	p := &Pairing{}
	p.SetCode(code)
	p.SetAllow(allow)
	return p
}

// SetCode replaces the pairing code; an empty one pairs nobody.
func (p *Pairing) SetCode(code string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.code = code
}

// SetAllow replaces the allow list.
func (p *Pairing) SetAllow(allow []netip.Prefix) {
	plain := make([]netip.Prefix, 0, len(allow))
	for _, prefix := range allow {
		plain = append(plain, plainPrefix(prefix))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.allow = plain
}

// allowed reports whether addr is on the allow list.
func (p *Pairing) allowed(addr netip.Addr) bool {
	addr = plainAddr(addr)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, prefix := range p.allow {
		if prefix.Contains(addr) {
			return true
		}
	}
	return false
}

// verdict is the answer to a pairing code.
type verdict uint8

const (
	verdictWrong verdict = iota
	verdictPaired
	verdictLocked // too many wrong codes: not even the right one is looked at
)

// try judges a code that came from addr at now. Equal time for every wrong code
// comes from comparing digests, so that neither its length nor its first
// characters can be found out by the clock.
func (p *Pairing) try(addr netip.Addr, code []byte, now time.Time) verdict {
	addr = plainAddr(addr)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.wrong.locked(addr, now) {
		return verdictLocked
	}
	got, want := sha256.Sum256(code), sha256.Sum256([]byte(p.code))
	if subtle.ConstantTimeCompare(got[:], want[:]) == 1 && p.code != "" {
		p.wrong.forget(addr)
		return verdictPaired
	}
	p.wrong.count(addr, now)
	return verdictWrong
}

// locked reports whether addr is locked out at now.
func (p *Pairing) locked(addr netip.Addr, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.wrong.locked(plainAddr(addr), now)
}

// plainAddr brings an address to the form that lists are kept in: IPv4 as
// IPv4 even where a dual-stack socket reports it mapped into IPv6, no zone.
func plainAddr(addr netip.Addr) netip.Addr {
	return addr.Unmap().WithZone("")
}

// plainPrefix does the same to a network.
func plainPrefix(prefix netip.Prefix) netip.Prefix {
	const mapped = 128 - 32
	if a := prefix.Addr(); a.Is4In6() && prefix.Bits() >= mapped {
		return netip.PrefixFrom(a.Unmap(), prefix.Bits()-mapped)
	}
	return prefix
}

// ParseAllow reads an allow list: addresses and networks such as
// "192.168.1.0/24", separated by commas or spaces. "loopback" stands for the
// machine itself.
func ParseAllow(list string) ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, word := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		if word == "loopback" {
			out = append(out, Loopback()...)
			continue
		}
		prefix, err := parsePrefix(word)
		if err != nil {
			return nil, fmt.Errorf("allow list: %q is no address or network such as 192.168.1.7 or 192.168.1.0/24", word)
		}
		out = append(out, prefix)
	}
	return out, nil
}

func parsePrefix(word string) (netip.Prefix, error) {
	if strings.Contains(word, "/") {
		prefix, err := netip.ParsePrefix(word)
		return plainPrefix(prefix), err
	}
	addr, err := netip.ParseAddr(word)
	if err != nil {
		return netip.Prefix{}, err
	}
	addr = plainAddr(addr)
	return addr.Prefix(addr.BitLen())
}

// Loopback returns the networks of the machine itself.
func Loopback() []netip.Prefix {
	return []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
}

package web

import (
	"net"
	"net/netip"
	"os"
	"strings"
)

// addrOf reads the address of HOST:PORT as the server reports it; the zero Addr
// where there is none.
func addrOf(remote string) netip.Addr {
	p, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Addr{}
	}
	return p.Addr().Unmap().WithZone("")
}

// isLocal reports whether addr is this machine's or in a network of one's own.
func isLocal(addr netip.Addr) bool {
	return addr.IsLoopback() || addr.IsPrivate() || addr.IsLinkLocalUnicast()
}

// group is what counts as one visitor: an IPv6 machine has a whole /64.
func group(addr netip.Addr) netip.Addr {
	if addr.Is4() || !addr.IsValid() {
		return addr
	}
	return netip.PrefixFrom(addr, 64).Masked().Addr()
}

// hostOf takes the port and an IPv6 address's brackets from a Host header.
func hostOf(header string) string {
	if host, _, err := net.SplitHostPort(header); err == nil {
		return host
	}
	return strings.Trim(header, "[]")
}

// ownName reports whether a Host header names this machine. Anything else is a
// foreign name that somebody let point here (DNS rebinding): to the browser its
// pages and ours would be of one origin. An address cannot be bent.
func (s *Site) ownName(header string) bool {
	host := strings.TrimSuffix(strings.ToLower(hostOf(header)), ".")
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	for _, name := range s.names() {
		if name != "" && (host == name || host == name+".local") {
			return true
		}
	}
	return false
}

// names are this machine's own, in small letters, without a domain.
func (s *Site) names() []string {
	names := []string{"localhost", s.Settings.Settings().Hostname}
	if name, err := os.Hostname(); err == nil {
		names = append(names, name)
	}
	if s.Names != nil {
		names = append(names, s.Names()...)
	}
	for i, name := range names {
		names[i] = strings.TrimSuffix(strings.ToLower(strings.TrimSuffix(name, ".")), ".local")
	}
	return names
}

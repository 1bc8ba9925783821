package privsep

import (
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
)

// Foreign reports whether the peer of a TCP connection is a program of this machine
// that is not known to run as this one's user: the agent, or what it started.
func Foreign(nc net.Conn) bool {
	peer, here := endOf(nc.RemoteAddr()), endOf(nc.LocalAddr())
	if !within(peer.Addr(), here.Addr()) {
		return false
	}
	var tables strings.Builder
	for _, file := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, _ := os.ReadFile(file) // a kernel without IPv6 has no second
		tables.Write(text)
	}
	return foreign(tables.String(), peer, here, os.Geteuid())
}

// within reports whether an address is this machine's own, by which it also reaches
// itself. A serial line has none.
func within(peer, here netip.Addr) bool {
	if peer.IsLoopback() || peer == here {
		return peer.IsValid()
	}
	all, err := net.InterfaceAddrs()
	if err != nil {
		return true
	}
	return slices.ContainsFunc(all, func(a net.Addr) bool {
		own, ok := a.(*net.IPNet)
		return ok && own.IP.Equal(peer.AsSlice())
	})
}

func endOf(a net.Addr) netip.AddrPort {
	tcp, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.AddrPort{}
	}
	at := tcp.AddrPort()
	return netip.AddrPortFrom(at.Addr().Unmap().WithZone(""), at.Port())
}

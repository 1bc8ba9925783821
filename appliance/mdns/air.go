package mdns

import "net/netip"

// Link is a network interface that can carry multicasts.
type Link struct {
	Index    int
	Name     string
	Prefixes []netip.Prefix // its IPv4 addresses with their networks
}

// has reports whether an address is in one of the link's networks.
func (l Link) has(a netip.Addr) bool {
	for _, p := range l.Prefixes {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// Packet is a datagram and where it came from.
type Packet struct {
	Link int // the interface's index
	From netip.AddrPort
	Data []byte
}

// Air is everything outside: the interfaces, and what goes over them. One goroutine
// calls Receive, another the rest, and anybody may Close.
type Air interface {
	// Links are the interfaces that are up, in a fixed order.
	Links() ([]Link, error)
	// Join hears what is said on a link, also after it was away.
	Join(Link) error
	// Send sends on a link.
	Send(link int, to netip.AddrPort, data []byte) error
	// Receive waits for a packet. Its error is the end.
	Receive() (Packet, error)
	Close() error
}

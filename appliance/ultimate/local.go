package ultimate

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
)

// Network is one that this machine is in.
type Network struct {
	Prefix netip.Prefix // its range, with this machine's address in it
	// Broadcast is where all of them are asked; the zero address: it has none.
	Broadcast netip.Addr
}

// Networks lists the IPv4 networks of this machine's interfaces that are up: an
// Ultimate has no IPv6. The one with this machine only is not among them.
func Networks() ([]Network, error) {
	interfaces, err := net.Interfaces()
	if err != nil {
		return nil, fmt.Errorf("list network interfaces: %w", err)
	}
	var all []Network
	for _, i := range interfaces {
		if i.Flags&net.FlagUp == 0 || i.Flags&net.FlagLoopback != 0 {
			continue
		}
		addrs, err := i.Addrs()
		if err != nil {
			continue // it has just gone
		}
		for _, a := range addrs {
			if n, ok := networkOf(a, i.Flags&net.FlagBroadcast != 0); ok {
				all = append(all, n)
			}
		}
	}
	return all, nil
}

func networkOf(a net.Addr, broadcast bool) (Network, bool) {
	ipNet, ok := a.(*net.IPNet)
	if !ok {
		return Network{}, false
	}
	addr, ok := netip.AddrFromSlice(ipNet.IP.To4())
	if !ok {
		return Network{}, false
	}
	bits, size := ipNet.Mask.Size()
	if size != 32 {
		return Network{}, false
	}
	n := Network{Prefix: netip.PrefixFrom(addr, bits)}
	if broadcast && bits < 31 {
		n.Broadcast = lastOf(n.Prefix)
	}
	return n, true
}

// lastOf is the last address of a range: the broadcast address of a network.
func lastOf(p netip.Prefix) netip.Addr {
	b := p.Addr().As4()
	for i := range b {
		for bit := range 8 {
			if i*8+bit >= p.Bits() {
				b[i] |= 0x80 >> bit
			}
		}
	}
	return netip.AddrFrom4(b)
}

// errNoNetwork is the state of a machine without a network.
var errNoNetwork = errors.New("this machine is in no network: plug in the network cable or set up Wi-Fi")

// local reports whether a device may be spoken to: its address is within a network
// of this machine, and neither this machine's own nor one that means many.
func local(addr netip.Addr, networks []Network) bool {
	if !addr.Is4() || addr.IsUnspecified() || addr.IsMulticast() {
		return false
	}
	inside := false
	for _, n := range networks {
		if addr == n.Prefix.Addr() || addr == n.Broadcast {
			return false
		}
		inside = inside || n.Prefix.Contains(addr)
	}
	return inside
}

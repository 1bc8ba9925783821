package host

import (
	"net"
	"net/netip"
)

// Address returns the interface's first IPv4 address that others can use.
func (h *Host) Address(ifname string) netip.Prefix {
	i, err := net.InterfaceByName(ifname)
	if err != nil {
		return netip.Prefix{}
	}
	addresses, err := i.Addrs()
	if err != nil {
		return netip.Prefix{}
	}
	for _, a := range addresses {
		p, err := netip.ParsePrefix(a.String())
		if err == nil && p.Addr().Is4() && !p.Addr().IsLinkLocalUnicast() {
			return p
		}
	}
	return netip.Prefix{}
}

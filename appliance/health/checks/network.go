package checks

import (
	"context"
	"io/fs"
	"net"
	"net/netip"
	"strings"

	"github.com/prompt64/prompt64/appliance/health"
)

// Interface is a network interface that is up.
type Interface struct {
	Name      string
	Addresses []netip.Addr
}

// Network looks at the addresses and the way out. It sends nothing.
type Network struct {
	System     fs.FS // for proc/net/route and proc/net/ipv6_route
	Interfaces func() ([]Interface, error)
}

// SystemInterfaces lists this machine's interfaces that are up, without the
// loopback.
func SystemInterfaces() ([]Interface, error) {
	all, err := net.Interfaces()
	if err != nil {
		return nil, err
	}
	var up []Interface
	for _, i := range all {
		if i.Flags&net.FlagLoopback != 0 || i.Flags&net.FlagUp == 0 || i.Flags&net.FlagRunning == 0 {
			continue
		}
		addrs, err := i.Addrs()
		if err != nil {
			continue // it vanished
		}
		found := Interface{Name: i.Name}
		for _, a := range addrs {
			if p, err := netip.ParsePrefix(a.String()); err == nil {
				found.Addresses = append(found.Addresses, p.Addr())
			}
		}
		up = append(up, found)
	}
	return up, nil
}

// Probe returns the network's probe.
func (n Network) Probe() health.Probe {
	return probe(health.Network, "Network", func(context.Context) health.Node { return n.check() }, health.Power)
}

// Place returns the interface to speak of and its address; the zero Addr where
// there is none.
func (n Network) Place() (name string, addr netip.Addr) {
	interfaces, err := n.Interfaces()
	if err != nil {
		return "", netip.Addr{}
	}
	routes, _ := defaultRoutes(n.System)
	return choose(interfaces, routes)
}

const hintNetwork = "Plug in a network cable, or set up Wi-Fi on the pages."

func (n Network) check() health.Node {
	interfaces, err := n.Interfaces()
	if err != nil {
		return unknown("the interfaces cannot be listed: %v", err)
	}
	routes, known := defaultRoutes(n.System)
	at, addr := choose(interfaces, routes)
	switch {
	case !addr.IsValid():
		return fail(hintNetwork, "there is no address")
	case addr.IsLinkLocalUnicast():
		return warn("Look at the router: it gives out the addresses.", "%s has no address from the router, only %s", at, addr)
	case known && len(routes) == 0:
		return warn("Look at the router, or at the cable that leads to it. C64s in the same network reach the bridge all the same.",
			"%s has the address %s, but there is no way out to the internet", at, addr)
	case known && routes[0] != at:
		return ok("%s has the address %s; the way out is through %s", at, addr, routes[0])
	}
	return ok("%s has the address %s", at, addr)
}

// choose finds the interface to speak of and its best address: the one with the
// way out, else the first with an address that others can use.
func choose(interfaces []Interface, routes []string) (name string, best netip.Addr) {
	bestRank := 0
	for _, i := range interfaces {
		for _, a := range i.Addresses {
			rank := 0
			switch {
			case a.IsLoopback() || !a.IsValid():
				continue
			case a.IsLinkLocalUnicast() && a.Is6():
				continue // every interface has one, and it says nothing
			case a.IsLinkLocalUnicast():
				rank = 1
			case a.Is6():
				rank = 2
			default:
				rank = 3
			}
			if len(routes) > 0 && routes[0] == i.Name {
				rank += 3
			}
			if rank > bestRank {
				name, best, bestRank = i.Name, a, rank
			}
		}
	}
	return name, best
}

// defaultRoutes returns the interfaces of the default routes, that with the
// lowest metric first.
func defaultRoutes(system fs.FS) (names []string, known bool) {
	v4, err4 := fs.ReadFile(system, "proc/net/route")
	v6, err6 := fs.ReadFile(system, "proc/net/ipv6_route")
	var found []route
	for line := range strings.Lines(string(v4)) {
		// Iface Destination Gateway Flags RefCnt Use Metric Mask ...
		if f := strings.Fields(line); len(f) >= 8 && f[1] == "00000000" && f[7] == "00000000" {
			found = append(found, route{f[0], parseMetric(f[6], 10)})
		}
	}
	for line := range strings.Lines(string(v6)) {
		// destination prefix source prefix gateway metric ref use flags interface
		f := strings.Fields(line)
		if len(f) >= 10 && f[1] == "00" && f[9] != "lo" && strings.Trim(f[4], "0") != "" {
			found = append(found, route{f[9], parseMetric(f[5], 16)})
		}
	}
	return inOrder(found), err4 == nil || err6 == nil
}

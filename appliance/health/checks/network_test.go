package checks

import (
	"errors"
	"net/netip"
	"testing"
	"testing/fstest"

	"github.com/prompt64/prompt64/appliance/health"
)

const routeHead = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"

// routes is /proc/net of a machine.
func routes(v4, v6 string) fstest.MapFS {
	return fstest.MapFS{
		"proc/net/route":      {Data: []byte(routeHead + v4)},
		"proc/net/ipv6_route": {Data: []byte(v6)},
	}
}

const (
	viaEth0  = "eth0\t00000000\t0101A8C0\t0003\t0\t0\t1\t00000000\t0\t0\t0\n"
	viaWlan0 = "wlan0\t00000000\t0101A8C0\t0003\t0\t0\t5\t00000000\t0\t0\t0\n"
	local    = "eth0\t0001A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n"
	via6     = "00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003 wlan0\n"
	reject6  = "00000000000000000000000000000000 00 00000000000000000000000000000000 00 00000000000000000000000000000000 ffffffff 00000001 00000000 00200200 lo\n"
)

func with(name string, addrs ...string) Interface {
	i := Interface{Name: name}
	for _, a := range addrs {
		i.Addresses = append(i.Addresses, netip.MustParseAddr(a))
	}
	return i
}

func TestNetworkHasAnAddressAndAWayOut(t *testing.T) {
	eth0, wlan0 := with("eth0", "fe80::1", "192.168.1.20"), with("wlan0", "192.168.1.30")
	for _, c := range []struct {
		name       string
		system     fstest.MapFS
		interfaces []Interface
		state      health.State
		words      []string
	}{
		{"nothing", routes("", reject6), nil, health.Fail, []string{"no address", "Plug in"}},
		{"a cable without an address", routes("", ""), []Interface{with("eth0", "fe80::1")}, health.Fail, []string{"no address"}},
		{"an address of its own making", routes("", ""), []Interface{with("eth0", "169.254.3.4")}, health.Warn, []string{"router", "eth0", "169.254.3.4"}},
		{"no way out", routes(local, reject6), []Interface{eth0}, health.Warn, []string{"192.168.1.20", "no way out", "C64s in the same network"}},
		{"a cable", routes(local+viaEth0, ""), []Interface{eth0}, health.OK, []string{"eth0 has the address 192.168.1.20"}},
		{"both: the lower metric counts", routes(viaWlan0+viaEth0, ""), []Interface{wlan0, eth0}, health.OK, []string{"eth0 has the address 192.168.1.20"}},
		{"only the radio leads out", routes(local+viaWlan0, ""), []Interface{eth0, wlan0}, health.OK, []string{"wlan0 has the address 192.168.1.30"}},
		{"only IPv6", routes("", via6), []Interface{with("wlan0", "fe80::2", "2001:db8::7")}, health.OK, []string{"2001:db8::7"}},
		{"a way out through what has no address", routes("tun0\t00000000\t00000000\t0001\t0\t0\t0\t00000000\t0\t0\t0\n", ""), []Interface{eth0}, health.OK, []string{"192.168.1.20", "through tun0"}},
		{"a system without tables", fstest.MapFS{}, []Interface{eth0}, health.OK, []string{"192.168.1.20"}},
		{"tables of rubbish", routes("x\ny z\n\x00", "00 00 00\n"), []Interface{eth0}, health.Warn, []string{"no way out"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := Network{System: c.system, Interfaces: func() ([]Interface, error) { return c.interfaces, nil }}
			says(t, check(t, n.Probe()), c.state, c.words...)
		})
	}
}

func TestPlaceIsWhereTheWayOutIs(t *testing.T) {
	n := Network{System: routes(viaWlan0, ""), Interfaces: func() ([]Interface, error) {
		return []Interface{with("eth0", "10.0.0.1"), with("wlan0", "192.168.1.30")}, nil
	}}
	if name, addr := n.Place(); name != "wlan0" || addr.String() != "192.168.1.30" {
		t.Errorf("it is %s %s", name, addr)
	}
	n.Interfaces = func() ([]Interface, error) { return nil, errors.New("no netlink") }
	if name, addr := n.Place(); name != "" || addr.IsValid() {
		t.Errorf("without a list it is %s %s", name, addr)
	}
}

func TestInterfacesThatCannotBeListedAreUnknown(t *testing.T) {
	n := Network{System: fstest.MapFS{}, Interfaces: func() ([]Interface, error) { return nil, errors.New("no netlink") }}
	says(t, check(t, n.Probe()), health.Unknown, "no netlink")
}

func TestInterfacesOfThisMachineHaveNoLoopback(t *testing.T) {
	all, err := SystemInterfaces()
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range all {
		for _, a := range i.Addresses {
			if a.IsLoopback() {
				t.Errorf("%s has %s", i.Name, a)
			}
		}
	}
}

package main

import (
	"net"
	"slices"
	"testing"
)

// openDoorAt is a door that waits on an address.
func openDoorAt(t *testing.T, addr string) *door {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return &door{addr: addr, l: listenerAt{l, addr}}
}

// listenerAt is a listener of loopback that says it is elsewhere.
type listenerAt struct {
	net.Listener
	addr string
}

func (l listenerAt) Addr() net.Addr {
	addr, err := net.ResolveTCPAddr("tcp4", l.addr)
	if err != nil {
		panic(err)
	}
	return addr
}

func TestNetworkIsToldOnlyOfWhatItCanReach(t *testing.T) {
	for name, c := range map[string]struct {
		options     serveOptions
		bridge, web string
		want        []string // nil: no responder runs
	}{
		"device":               {serveOptions{device: true}, "0.0.0.0:6464", "0.0.0.0:80", []string{"_prompt64._tcp", "_http._tcp"}},
		"workstation":          {serveOptions{}, "0.0.0.0:6464", "127.0.0.1:8064", nil},
		"workstation that may": {serveOptions{mdns: true}, "0.0.0.0:6464", "127.0.0.1:8064", []string{"_prompt64._tcp"}},
		"nobody can connect":   {serveOptions{mdns: true}, "127.0.0.1:6464", "127.0.0.1:8064", nil},
	} {
		a := &app{log: silent, options: c.options, c64s: openDoorAt(t, c.bridge), browsers: openDoorAt(t, c.web)}
		if runs := a.mdnsPart().Service != nil; runs != (c.want != nil) {
			t.Errorf("%s: it runs: %v", name, runs)
		}
		var got []string
		for _, s := range a.offered() {
			got = append(got, s.Type)
		}
		if c.want != nil && !slices.Equal(got, c.want) {
			t.Errorf("%s: it tells of %v", name, got)
		}
	}
	if s := (&localName{}).status(); s.Name != "" {
		t.Errorf("without a responder it is %+v", s)
	}
}

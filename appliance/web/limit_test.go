package web

import (
	"errors"
	"io"
	"net"
	"net/netip"
	"testing"
)

// door is a listener whose visitors come from anywhere.
type door struct{ visitors []*visitor }

type visitor struct {
	net.Conn
	from   string
	closed bool
}

func (v *visitor) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(v.from))
}
func (v *visitor) Close() error { v.closed = true; return nil }

func (d *door) Accept() (net.Conn, error) {
	if len(d.visitors) == 0 {
		return nil, io.EOF
	}
	v := d.visitors[0]
	d.visitors = d.visitors[1:]
	return v, nil
}
func (d *door) Close() error   { return nil }
func (d *door) Addr() net.Addr { return nil }

// let sends visitors through a limit and returns those that were let in.
func let(l *limited, d *door, visitors ...*visitor) (in []net.Conn) {
	d.visitors = visitors
	for {
		c, err := l.Accept()
		if errors.Is(err, io.EOF) {
			return in
		}
		in = append(in, c)
	}
}

func from(n int, addr string) []*visitor {
	var out []*visitor
	for range n {
		out = append(out, &visitor{from: addr})
	}
	return out
}

func TestConnectionsOfOneAddressAreBoundedAndItsOwnMachineIsNot(t *testing.T) {
	d := &door{}
	l := newLimited(d)
	many := from(maxConnsAddress+5, "192.168.1.9:1")
	in := let(l, d, many...)
	if len(in) != maxConnsAddress || many[0].closed || !many[len(many)-1].closed {
		t.Errorf("%d were let in", len(in))
	}
	if other := let(l, d, from(1, "192.168.1.10:1")...); len(other) != 1 {
		t.Error("another address was kept out")
	}
	if own := let(l, d, from(2*maxConns, "127.0.0.1:1")...); len(own) != 2*maxConns {
		t.Errorf("of this machine %d were let in", len(own))
	}
	_ = in[0].Close()
	_ = in[0].Close() // counts once
	if again := let(l, d, from(3, "192.168.1.9:1")...); len(again) != 1 {
		t.Errorf("after one left, %d were let in", len(again))
	}
}

func TestConnectionsOfManyAddressesAreBounded(t *testing.T) {
	d := &door{}
	l := newLimited(d)
	var many []*visitor
	for i := range 200 {
		many = append(many, &visitor{from: net.JoinHostPort(netip.AddrFrom4([4]byte{10, 0, 0, byte(i)}).String(), "1")})
	}
	in := let(l, d, many...)
	if len(in) != maxConns {
		t.Errorf("%d were let in", len(in))
	}
	for _, c := range in {
		_ = c.Close()
	}
	if l.total != 0 || len(l.by) != 0 {
		t.Errorf("%d are counted of %v after all left", l.total, l.by)
	}
	// One IPv6 network is one visitor, however many addresses it uses.
	many = nil
	for i := range 2 * maxConnsAddress {
		addr := netip.MustParseAddr("2001:db8::").As16()
		addr[15] = byte(i)
		many = append(many, &visitor{from: net.JoinHostPort(netip.AddrFrom16(addr).String(), "1")})
	}
	if in := let(l, d, many...); len(in) != maxConnsAddress {
		t.Errorf("of one IPv6 network %d were let in", len(in))
	}
}

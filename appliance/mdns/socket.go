package mdns

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"syscall"
	"time"

	"golang.org/x/net/ipv4"
	"golang.org/x/sys/unix"
)

// socket is the real air.
type socket struct{ conn *ipv4.PacketConn }

// open listens beside other responders on this machine, such as avahi.
func open() (Air, error) {
	config := net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) error {
		var err error
		control := c.Control(func(fd uintptr) {
			err = errors.Join(
				unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_REUSEADDR, 1),
				unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_REUSEPORT, 1))
		})
		return errors.Join(control, err)
	}}
	conn, err := config.ListenPacket(context.Background(), "udp4", fmt.Sprintf("0.0.0.0:%d", port))
	if err != nil {
		return nil, fmt.Errorf("listen for questions about this machine's name: %w", err)
	}
	p := ipv4.NewPacketConn(conn)
	err = errors.Join(
		p.SetControlMessage(ipv4.FlagInterface, true),
		p.SetMulticastLoopback(true), // programs on this machine ask, too
		p.SetMulticastTTL(255), p.SetTTL(255))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("set up multicast: %w", err), conn.Close())
	}
	return socket{p}, nil
}

// Links lists the interfaces with IPv4 that can carry multicasts. The one that leads
// only to this machine is not among them.
func (s socket) Links() ([]Link, error) {
	interfaces, err := net.Interfaces()
	if err != nil {
		return nil, err
	}
	const need = net.FlagUp | net.FlagMulticast
	var links []Link
	for _, i := range interfaces {
		if i.Flags&need != need || i.Flags&net.FlagLoopback != 0 {
			continue
		}
		addrs, err := i.Addrs()
		if err != nil {
			continue // it has just gone
		}
		if p := prefixes(addrs); len(p) > 0 {
			links = append(links, Link{i.Index, i.Name, p})
		}
	}
	return links, nil
}

func prefixes(addrs []net.Addr) (all []netip.Prefix) {
	for _, a := range addrs {
		n, ok := a.(*net.IPNet)
		if !ok {
			continue
		}
		if addr, ok := netip.AddrFromSlice(n.IP.To4()); ok {
			bits, _ := n.Mask.Size()
			all = append(all, netip.PrefixFrom(addr, bits))
		}
	}
	slices.SortFunc(all, func(a, b netip.Prefix) int { return a.Addr().Compare(b.Addr()) })
	return all
}

// Join may be called again for an interface that was away meanwhile: the kernel has
// then forgotten or kept the membership, and both are well.
func (s socket) Join(l Link) error {
	err := s.conn.JoinGroup(&net.Interface{Index: l.Index, Name: l.Name}, net.UDPAddrFromAddrPort(group))
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil
	}
	return err
}

func (s socket) Send(link int, to netip.AddrPort, data []byte) error {
	_ = s.conn.SetWriteDeadline(time.Now().Add(time.Second))
	_, err := s.conn.WriteTo(data, &ipv4.ControlMessage{IfIndex: link}, net.UDPAddrFromAddrPort(to))
	return err
}

func (s socket) Receive() (Packet, error) {
	buf := make([]byte, maxPacket)
	for {
		n, control, from, err := s.conn.ReadFrom(buf)
		if err != nil {
			return Packet{}, err
		}
		udp, ok := from.(*net.UDPAddr)
		if !ok || control == nil {
			continue
		}
		at := udp.AddrPort()
		return Packet{control.IfIndex, netip.AddrPortFrom(at.Addr().Unmap(), at.Port()), buf[:n]}, nil
	}
}

func (s socket) Close() error { return s.conn.Close() }

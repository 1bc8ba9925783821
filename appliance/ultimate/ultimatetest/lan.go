package ultimatetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/ultimate"
)

// LAN is a network of its own. What is sent to its last address reaches every
// device, as a broadcast does.
type LAN struct {
	Prefix netip.Prefix // with the address of the one who looks
	Port   uint16       // of every service on it: UDP and HTTP

	t testing.TB

	mu      sync.Mutex
	devices []*Ultimate
}

// New makes a network that ends with the test.
func New(t testing.TB) *LAN {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("a network of several loopback addresses is there on Linux only")
	}
	for range 20 {
		own := netip.AddrFrom4([4]byte{127, byte(64 + rand.IntN(64)), byte(rand.IntN(256)), 1})
		l := &LAN{t: t, Prefix: netip.PrefixFrom(own, 24)}
		conn, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.AddrPortFrom(l.Broadcast(), 0)))
		if err != nil {
			continue
		}
		l.Port = conn.LocalAddr().(*net.UDPAddr).AddrPort().Port()
		l.listen(conn, func(from netip.AddrPort, b []byte) {
			for _, u := range l.all() {
				u.identify(from, b)
			}
		})
		return l
	}
	t.Fatal("no loopback network is free")
	return nil
}

// Broadcast is the address that reaches every device.
func (l *LAN) Broadcast() netip.Addr {
	b := l.Prefix.Addr().As4()
	b[3] = 255
	return netip.AddrFrom4(b)
}

// Networks is what a machine in this network has for [ultimate.Networks].
func (l *LAN) Networks() ([]ultimate.Network, error) {
	return []ultimate.Network{{Prefix: l.Prefix, Broadcast: l.Broadcast()}}, nil
}

// Client is one that speaks to this network and loses no time with waiting.
func (l *LAN) Client() *ultimate.Client {
	return &ultimate.Client{Networks: l.Networks, Port: l.Port, Pause: skip}
}

// Free is an address that no device has.
func (l *LAN) Free() netip.Addr { return l.address(200) }

func (l *LAN) address(n int) netip.Addr {
	b := l.Prefix.Addr().As4()
	b[3] = byte(n)
	return netip.AddrFrom4(b)
}

func (l *LAN) all() []*Ultimate {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]*Ultimate(nil), l.devices...)
}

// listen hands datagrams to take until the test ends.
func (l *LAN) listen(conn *net.UDPConn, take func(from netip.AddrPort, b []byte)) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		buf := make([]byte, 2048)
		for {
			n, from, err := conn.ReadFromUDPAddrPort(buf)
			if err != nil {
				return
			}
			take(from, append([]byte(nil), buf[:n]...))
		}
	}()
	l.t.Cleanup(func() {
		_ = conn.Close()
		<-ended
	})
}

// Add puts a device into the network.
func (l *LAN) Add(m Model) *Ultimate {
	l.t.Helper()
	l.mu.Lock()
	addr := l.address(2 + len(l.devices))
	l.mu.Unlock()
	u := &Ultimate{Model: m, Address: addr, lan: l}
	if !m.NoIdent {
		conn, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.AddrPortFrom(addr, l.Port)))
		if err != nil {
			l.t.Fatal(err)
		}
		u.udp = conn
		l.listen(conn, u.identify)
	}
	if !m.NoREST {
		l.serve(u)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.devices = append(l.devices, u)
	return u
}

func (l *LAN) serve(u *Ultimate) {
	l.t.Helper()
	listener, err := net.Listen("tcp4", netip.AddrPortFrom(u.Address, l.Port).String())
	if err != nil {
		l.t.Fatal(fmt.Errorf("listen for the fake's REST API: %w", err))
	}
	u.done = make(chan struct{})
	server := &http.Server{Handler: http.HandlerFunc(u.serve)}
	server.SetKeepAlivesEnabled(false)
	go func() { _ = server.Serve(listener) }() // Shutdown ends it
	l.t.Cleanup(func() {
		close(u.done)
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		if err := server.Shutdown(ctx); err != nil {
			l.t.Errorf("a request to the fake did not end: %v", err)
		}
	})
}

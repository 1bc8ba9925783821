package ultimate

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net"
	"net/netip"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
)

// search is one question to everybody.
type search struct {
	token string
	port  uint16

	mu    sync.Mutex
	found []sighting
}

// sighting is a device that answered, and from which address it was asked.
type sighting struct {
	Identity
	own netip.Addr
}

// newSearch makes a question with a token of its own, so that answers to others
// are not taken for ours. A device sends back at most 32 bytes of it.
func newSearch(port uint16) *search {
	return &search{token: rand.Text()[:16], port: port}
}

// in asks within one network and listens until ctx ends.
func (s *search) in(ctx context.Context, n Network, known []netip.Addr) {
	own := n.Prefix.Addr()
	conn, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.AddrPortFrom(own, 0)))
	if err != nil {
		return // the interface has just gone
	}
	stop := guarded.AfterDone(ctx, "end of a search", func() { _ = conn.SetReadDeadline(time.Unix(1, 0)) }, nil)
	defer func() {
		stop()
		_ = conn.Close()
	}()
	var targets []netip.Addr
	if n.Broadcast.IsValid() {
		targets = append(targets, n.Broadcast)
	}
	for _, k := range known {
		if n.Prefix.Contains(k) {
			targets = append(targets, k)
		}
	}
	s.send(conn, targets)
	again := guarded.AfterFunc(identAgain, "question to Ultimates", func() { s.send(conn, targets) }, nil)
	defer again.Stop()
	buf := make([]byte, maxDatagram)
	for {
		size, from, err := conn.ReadFromUDPAddrPort(buf)
		if err != nil {
			if errors.Is(err, syscall.ECONNREFUSED) {
				continue // by ICMP: nobody listens at one of the addresses
			}
			return
		}
		s.take(n, from, buf[:size])
	}
}

func (s *search) send(conn *net.UDPConn, targets []netip.Addr) {
	for _, t := range targets {
		_, _ = conn.WriteToUDPAddrPort([]byte("json"+s.token), netip.AddrPortFrom(t, s.port))
	}
}

// take keeps an answer if it is one to this question, from within the network that
// was asked. Where it says to be has no say: its source counts.
func (s *search) take(n Network, from netip.AddrPort, datagram []byte) {
	addr := from.Addr().Unmap()
	if from.Port() != s.port || !local(addr, []Network{n}) {
		return
	}
	var t told
	if json.Unmarshal(datagram, &t) != nil || t.Token != s.token || strings.TrimSpace(t.Product) == "" {
		return
	}
	id := t.identity()
	id.Address = addr
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.found {
		if f.Address == addr {
			return
		}
	}
	if len(s.found) < maxFound {
		s.found = append(s.found, sighting{id, n.Prefix.Addr()})
	}
}

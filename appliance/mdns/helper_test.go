package mdns_test

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/prompt64/prompt64/appliance/mdns"
)

// ether carries packets between machines, in any number of networks.
type ether struct {
	mu       sync.Mutex
	machines []*machine
	said     []packet
}

type packet struct {
	at       time.Time
	from, to netip.AddrPort
	message  dnsmessage.Message
}

// machine is what a responder has for its air.
type machine struct {
	ether *ether
	port  uint16
	in    chan mdns.Packet
	ended chan struct{}

	links  []mdns.Link // guarded by the ether's mutex
	joined map[int]bool
	deaf   bool // it cannot join
}

func (e *ether) add(links ...mdns.Link) *machine {
	m := &machine{ether: e, port: 5353, links: links}
	m.reset()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.machines = append(e.machines, m)
	return m
}

func (m *machine) reset() {
	m.in, m.ended, m.joined = make(chan mdns.Packet, 1000), make(chan struct{}), make(map[int]bool)
}

// set changes the machine's interfaces.
func (m *machine) set(links ...mdns.Link) {
	m.ether.mu.Lock()
	defer m.ether.mu.Unlock()
	m.links = links
}

func (m *machine) Links() ([]mdns.Link, error) {
	m.ether.mu.Lock()
	defer m.ether.mu.Unlock()
	return append([]mdns.Link(nil), m.links...), nil
}

func (m *machine) Join(l mdns.Link) error {
	m.ether.mu.Lock()
	defer m.ether.mu.Unlock()
	if m.deaf {
		return errors.New("no multicast today")
	}
	m.joined[l.Index] = true
	return nil
}

func (m *machine) Send(link int, to netip.AddrPort, data []byte) error {
	m.ether.mu.Lock()
	defer m.ether.mu.Unlock()
	for _, l := range m.links {
		if l.Index == link {
			m.ether.carry(l.Prefixes[0], netip.AddrPortFrom(l.Prefixes[0].Addr(), m.port), to, data)
			return nil
		}
	}
	return errors.New("no such interface")
}

// carry delivers to every interface in the network, the sender's too.
func (e *ether) carry(network netip.Prefix, from, to netip.AddrPort, data []byte) {
	p := packet{at: time.Now(), from: from, to: to}
	if err := p.message.Unpack(data); err != nil {
		panic(err)
	}
	e.said = append(e.said, p)
	for _, m := range e.machines {
		for _, l := range m.links {
			hears := to.Addr().IsMulticast() && m.joined[l.Index] || to == netip.AddrPortFrom(l.Prefixes[0].Addr(), m.port)
			if hears && l.Prefixes[0].Masked() == network.Masked() {
				m.in <- mdns.Packet{Link: l.Index, From: from, Data: data}
			}
		}
	}
}

func (m *machine) Receive() (mdns.Packet, error) {
	select {
	case p := <-m.in:
		return p, nil
	case <-m.ended:
		return mdns.Packet{}, errors.New("closed")
	}
}

func (m *machine) Close() error {
	close(m.ended)
	return nil
}

// count is how many packets were said so far.
func (e *ether) count() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.said)
}

// since are the packets after so many.
func (e *ether) since(n int) []packet {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]packet(nil), e.said[n:]...)
}

func link(index int, cidr ...string) mdns.Link {
	l := mdns.Link{Index: index, Name: "eth0"}
	for _, c := range cidr {
		l.Prefixes = append(l.Prefixes, netip.MustParsePrefix(c))
	}
	return l
}

// run starts a responder on a machine; stop ends it and waits.
func run(t *testing.T, m *machine, services ...mdns.Service) (r *mdns.Responder, stop func()) {
	t.Helper()
	r, err := mdns.New(mdns.Config{Host: "prompt64", Services: services, Air: func() (mdns.Air, error) { return m, nil }})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- r.Serve(ctx) }()
	return r, func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("it ended with %v", err)
		}
	}
}

// ask sends a question from a machine without a responder.
func (m *machine) ask(t *testing.T, change func(*dnsmessage.Message), questions ...dnsmessage.Question) {
	t.Helper()
	q := dnsmessage.Message{Questions: questions}
	if change != nil {
		change(&q)
	}
	m.say(t, q)
}

func (m *machine) say(t *testing.T, msg dnsmessage.Message) {
	t.Helper()
	data, err := msg.Pack()
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Send(m.links[0].Index, netip.MustParseAddrPort("224.0.0.251:5353"), data); err != nil {
		t.Fatal(err)
	}
}

func question(name string, kind dnsmessage.Type) dnsmessage.Question {
	return dnsmessage.Question{Name: dnsmessage.MustNewName(name), Type: kind, Class: dnsmessage.ClassINET}
}

// a is an address record.
func a(name, addr string, ttl uint32) dnsmessage.Resource {
	return dnsmessage.Resource{
		Header: dnsmessage.ResourceHeader{Name: dnsmessage.MustNewName(name), Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET, TTL: ttl},
		Body:   &dnsmessage.AResource{A: netip.MustParseAddr(addr).As4()},
	}
}

// addressesIn are those of a name in a packet's answers.
func (p packet) addressesIn(name string) (all []string) {
	for _, res := range p.message.Answers {
		if b, ok := res.Body.(*dnsmessage.AResource); ok && res.Header.Name.String() == name {
			all = append(all, netip.AddrFrom4(b.A).String())
		}
	}
	return all
}

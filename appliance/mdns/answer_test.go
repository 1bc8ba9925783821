package mdns_test

import (
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/prompt64/prompt64/appliance/mdns"
)

// settled is a responder that has its name, and a machine to ask it from.
func settled(t *testing.T) (e *ether, asker *machine, stop func()) {
	t.Helper()
	e = &ether{}
	_, stop = run(t, e.add(link(1, "10.0.0.1/24")), web, mdns.Service{Type: "_prompt64._tcp", Port: 6464})
	asker = e.add(link(1, "10.0.0.7/24"))
	time.Sleep(10 * time.Second)
	return e, asker, stop
}

// answers are the packets that a question brings forth.
func answers(t *testing.T, e *ether, asker *machine, change func(*dnsmessage.Message), q ...dnsmessage.Question) []packet {
	t.Helper()
	time.Sleep(2 * time.Second)
	before := e.count()
	asker.ask(t, change, q...)
	time.Sleep(time.Second)
	return e.since(before + 1)
}

func TestNameLeadsToTheAddressAndHasNoOtherKind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, asker, stop := settled(t)
		got := answers(t, e, asker, nil, question("PROMPT64.local.", dnsmessage.TypeA))
		if len(got) != 1 || !got[0].to.Addr().IsMulticast() || len(got[0].addressesIn("prompt64.local.")) != 1 {
			t.Errorf("asked for its address it says %+v", got)
		}
		got = answers(t, e, asker, nil, question("prompt64.local.", dnsmessage.TypeAAAA))
		if len(got) != 1 || len(got[0].message.Answers) != 1 || got[0].message.Answers[0].Header.Type != 47 {
			t.Errorf("asked for an IPv6 address it says %+v", got)
		}
		for _, name := range []string{"prompt65.local.", "local.", "_smb._tcp.local."} {
			if got := answers(t, e, asker, nil, question(name, dnsmessage.TypeALL)); len(got) != 0 {
				t.Errorf("asked for %s it says %+v", name, got)
			}
		}
		stop()
	})
}

func TestServicesAreFoundWithAllThatIsNeededToUseThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, asker, stop := settled(t)
		got := answers(t, e, asker, nil, question("_services._dns-sd._udp.local.", dnsmessage.TypePTR))
		if len(got) != 1 || len(got[0].message.Answers) != 2 {
			t.Errorf("the services are %+v", got)
		}
		got = answers(t, e, asker, nil, question("_prompt64._tcp.local.", dnsmessage.TypePTR))
		if len(got) != 1 || len(got[0].message.Answers) != 1 {
			t.Fatalf("the bridge is %+v", got)
		}
		kinds := map[dnsmessage.Type]int{}
		for _, r := range got[0].message.Additionals {
			kinds[r.Header.Type]++
			if srv, ok := r.Body.(*dnsmessage.SRVResource); ok && (srv.Port != 6464 || srv.Target.String() != "prompt64.local.") {
				t.Errorf("it is at %+v", srv)
			}
		}
		if kinds[dnsmessage.TypeSRV] != 1 || kinds[dnsmessage.TypeTXT] != 1 || kinds[dnsmessage.TypeA] != 1 {
			t.Errorf("with it come %v", kinds)
		}
		stop()
	})
}

func TestAnswerThatTheAskerKnowsIsNotGiven(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, asker, stop := settled(t)
		know := func(ttl uint32) func(*dnsmessage.Message) {
			return func(m *dnsmessage.Message) { m.Answers = []dnsmessage.Resource{a("prompt64.local.", "10.0.0.1", ttl)} }
		}
		q := question("prompt64.local.", dnsmessage.TypeA)
		if got := answers(t, e, asker, know(60), q); len(got) != 0 {
			t.Errorf("it says %+v", got)
		}
		if got := answers(t, e, asker, know(59), q); len(got) != 1 {
			t.Errorf("of what the asker will soon forget it says %+v", got)
		}
		stop()
	})
}

func TestFloodOfQuestionsBringsOneAnswerASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, asker, stop := settled(t)
		before := e.count()
		for range 100 {
			asker.ask(t, nil, question("prompt64.local.", dnsmessage.TypeA), question("_http._tcp.local.", dnsmessage.TypePTR))
			time.Sleep(25 * time.Millisecond)
		}
		time.Sleep(time.Second)
		if got := e.count() - before - 100; got < 2 || got > 8 {
			t.Errorf("%d answers in two and a half seconds", got)
		}
		stop()
	})
}

func TestOrdinaryResolverGetsAnOrdinaryAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, asker, stop := settled(t)
		e.mu.Lock()
		asker.port = 40000
		e.mu.Unlock()
		got := answers(t, e, asker, func(m *dnsmessage.Message) { m.ID = 77 }, question("prompt64.local.", dnsmessage.TypeA))
		if len(got) != 1 || got[0].to.Port() != 40000 {
			t.Fatalf("it says %+v", got)
		}
		m := got[0].message
		if h := m.Answers[0].Header; m.ID != 77 || len(m.Questions) != 1 || h.Class != dnsmessage.ClassINET || h.TTL > 10 {
			t.Errorf("it says %+v", m)
		}
		stop()
	})
}

func TestUnicastIsAnsweredToTheAskerAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, asker, stop := settled(t)
		q := question("prompt64.local.", dnsmessage.TypeA)
		q.Class |= 0x8000
		got := answers(t, e, asker, nil, q)
		if len(got) != 1 || got[0].to.Addr().String() != "10.0.0.7" {
			t.Errorf("it says %+v", got)
		}
		stop()
	})
}

func TestQuestionFromOutsideTheNetworkIsNotAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, _, stop := settled(t)
		stranger := e.add(link(1, "192.0.2.9/24"))
		m := e.machines[0]
		q := dnsmessage.Message{Questions: []dnsmessage.Question{question("prompt64.local.", dnsmessage.TypeA)}}
		data, err := q.Pack()
		if err != nil {
			t.Fatal(err)
		}
		before := e.count()
		m.in <- mdns.Packet{Link: 1, From: netip.AddrPortFrom(stranger.links[0].Prefixes[0].Addr(), 5353), Data: data}
		m.in <- mdns.Packet{Link: 1, Data: []byte("not DNS at all"), From: netip.AddrPortFrom(m.links[0].Prefixes[0].Addr(), 5353)}
		time.Sleep(time.Second)
		if got := e.count() - before; got != 0 {
			t.Errorf("it said %d packets", got)
		}
		stop()
	})
}

func TestGoodbyeIsSaidAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, _, stop := settled(t)
		before := e.count()
		stop()
		got := e.since(before)
		if len(got) != 1 {
			t.Fatalf("it says %+v", got)
		}
		for _, r := range append(got[0].message.Answers, got[0].message.Additionals...) {
			if r.Header.TTL != 0 {
				t.Errorf("%s lives for %d s", r.Header.Name, r.Header.TTL)
			}
		}
	})
}

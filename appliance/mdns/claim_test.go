package mdns_test

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/prompt64/prompt64/appliance/mdns"
)

var web = mdns.Service{Type: "_http._tcp", Port: 80, Text: []string{"path=/"}}

func TestNameIsAskedForThreeTimesBeforeItIsAnnounced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var e ether
		r, stop := run(t, e.add(link(1, "10.0.0.1/24")), web)
		time.Sleep(5 * time.Second)
		said := e.since(0)
		stop()
		if len(said) != 5 {
			t.Fatalf("it said %d packets", len(said))
		}
		for i, p := range said {
			if probe := i < 3; p.message.Response == probe || probe && (len(p.message.Authorities) != 3 || p.message.Questions[0].Class&0x8000 == 0) {
				t.Errorf("%d: %+v", i, p.message)
			}
			if i > 0 && i < 4 && p.at.Sub(said[i-1].at) != 250*time.Millisecond {
				t.Errorf("%d after %v", i, p.at.Sub(said[i-1].at))
			}
		}
		_ = r
	})
}

func TestLongNameMakesRoomForItsNumber(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var e ether
		var all []*mdns.Responder
		for i := range 2 {
			m := e.add(link(1, []string{"10.0.0.1/24", "10.0.0.2/24"}[i]))
			r, err := mdns.New(mdns.Config{Host: strings.Repeat("a", 61) + "-z", Services: []mdns.Service{web}, Air: func() (mdns.Air, error) { return m, nil }})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() { done <- r.Serve(ctx) }()
			defer func() { cancel(); <-done }()
			time.Sleep(5 * time.Second)
			all = append(all, r)
		}
		if got := all[1].Status().Name; got != strings.Repeat("a", 61)+"-2.local" {
			t.Errorf("the second is %s", got)
		}
	})
}

func TestSecondMachineTakesTheNextName(t *testing.T) {
	for name, addrs := range map[string][2]string{
		"later address":   {"10.0.0.1/24", "10.0.0.2/24"},
		"earlier address": {"10.0.0.2/24", "10.0.0.1/24"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var e ether
				first, stopFirst := run(t, e.add(link(1, addrs[0])), web)
				time.Sleep(3 * time.Second)
				second, stopSecond := run(t, e.add(link(1, addrs[1])), web)
				third, stopThird := run(t, e.add(link(1, "10.0.0.9/24")), web)
				time.Sleep(20 * time.Second)
				got := []string{second.Status().Name, third.Status().Name}
				slices.Sort(got)
				if first.Status().Name != "prompt64.local" || !slices.Equal(got, []string{"prompt64-2.local", "prompt64-3.local"}) {
					t.Errorf("they are %q and %q", first.Status().Name, got)
				}
				stopFirst()
				stopSecond()
				stopThird()
			})
		})
	}
}

func TestOfTwoThatStartTogetherOneGetsEachName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for range 20 { // the delays are random
			var e ether
			a, stopA := run(t, e.add(link(1, "10.0.0.1/24")), web)
			b, stopB := run(t, e.add(link(1, "10.0.0.2/24")), web)
			time.Sleep(20 * time.Second)
			got := []string{a.Status().Name, b.Status().Name}
			slices.Sort(got)
			if !slices.Equal(got, []string{"prompt64-2.local", "prompt64.local"}) {
				t.Errorf("they are %q", got)
			}
			stopA()
			stopB()
		}
	})
}

func TestTwoNetworksThatMeetEndWithTwoNames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var e ether
		ma, mb := e.add(link(1, "10.0.0.1/24")), e.add(link(1, "10.9.0.2/24"))
		a, stopA := run(t, ma, web)
		b, stopB := run(t, mb, web)
		time.Sleep(10 * time.Second)
		if a.Status().Name != "prompt64.local" || b.Status().Name != "prompt64.local" {
			t.Fatalf("apart they are %q and %q", a.Status().Name, b.Status().Name)
		}
		mb.set(link(1, "10.0.0.2/24")) // Wi-Fi joined the other's network
		time.Sleep(30 * time.Second)
		if a.Status().Name != "prompt64.local" || b.Status().Name != "prompt64-2.local" {
			t.Errorf("together they are %q and %q", a.Status().Name, b.Status().Name)
		}
		stopA()
		stopB()
	})
}

func TestNameIsGivenUpWhenAnEstablishedOneContradicts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var e ether
		r, stop := run(t, e.add(link(1, "10.0.0.1/24")), web)
		other := e.add(link(1, "10.0.0.7/24"))
		time.Sleep(3 * time.Second)
		claim := dnsmessage.Message{Header: dnsmessage.Header{Response: true}, Answers: []dnsmessage.Resource{a("Prompt64.local.", "10.0.0.7", 120)}}
		// Another that says the same of us, and one that takes its claim back, are none.
		same, gone := claim, claim
		same.Answers = []dnsmessage.Resource{a("prompt64.local.", "10.0.0.1", 120)}
		gone.Answers = []dnsmessage.Resource{a("prompt64.local.", "10.0.0.7", 0)}
		before := e.count()
		other.say(t, same)
		other.say(t, gone)
		time.Sleep(3 * time.Second)
		if got := e.count() - before; got != 2 {
			t.Errorf("%d packets after no contradiction", got-2)
		}
		other.say(t, claim) // it asks anew,
		time.Sleep(500 * time.Millisecond)
		other.say(t, claim) // and hears that it is taken
		time.Sleep(5 * time.Second)
		if got := r.Status().Name; got != "prompt64-2.local" {
			t.Errorf("it is %q", got)
		}
		stop()
	})
}

func TestEndlessContradictionIsBraked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var e ether
		_, stop := run(t, e.add(link(1, "10.0.0.1/24")), web)
		spoiler := e.add(link(1, "10.0.0.7/24"))
		_ = spoiler.Join(link(1))
		start := e.count()
		for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); {
			p := <-spoiler.in
			var m dnsmessage.Message
			if m.Unpack(p.Data) == nil && !m.Response && len(m.Authorities) > 0 {
				name := m.Questions[0].Name.String()
				spoiler.say(t, dnsmessage.Message{Header: dnsmessage.Header{Response: true}, Answers: []dnsmessage.Resource{a(name, "10.0.0.7", 120)}})
			}
		}
		if got := e.count() - start; got > 300 {
			t.Errorf("%d packets in five minutes", got)
		}
		stop()
	})
}

func TestInterfacesMayComeAndGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var e ether
		m := e.add()
		r, stop := run(t, m, web)
		time.Sleep(10 * time.Second)
		if s := r.Status(); s.Name != "" || !strings.Contains(s.Trouble, "network") {
			t.Errorf("without a network it is %+v", s)
		}
		m.set(link(1, "10.0.0.1/24"))
		time.Sleep(10 * time.Second)
		m.set(link(1, "10.0.0.1/24"), link(2, "10.5.0.1/24")) // Wi-Fi joins
		before := e.count()
		time.Sleep(10 * time.Second)
		if s := r.Status(); s.Name != "prompt64.local" || len(s.Addresses) != 2 {
			t.Errorf("it is %+v", s)
		}
		announced := false
		for _, p := range e.since(before) {
			for _, addr := range p.addressesIn("prompt64.local.") {
				announced = announced || addr == "10.5.0.1"
				if addr == "10.5.0.1" != (p.from.Addr() == netip.MustParseAddr("10.5.0.1")) {
					t.Errorf("%s is told from %s", addr, p.from)
				}
			}
		}
		if !announced {
			t.Error("the new interface was not announced")
		}
		m.set()
		time.Sleep(10 * time.Second)
		if s := r.Status(); s.Name != "" || s.Trouble == "" {
			t.Errorf("with the cable out it is %+v", s)
		}
		stop()
	})
}

// A cable and a radio that lead to the same network: what is said on one comes back
// on the other.
func TestMachineIsNoRivalOfItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var e ether
		r, stop := run(t, e.add(link(1, "10.0.0.1/24"), link(2, "10.0.0.2/24")), web)
		time.Sleep(30 * time.Second)
		if got := r.Status().Name; got != "prompt64.local" {
			t.Errorf("it is %q", got)
		}
		stop()
	})
}

func TestInterfaceThatCannotListenIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var e ether
		m := e.add(link(1, "10.0.0.1/24"))
		m.deaf = true // nobody else sees it yet
		r, stop := run(t, m, web)
		time.Sleep(10 * time.Second)
		if r.Status().Name != "" {
			t.Error("it has a name that it never asked for")
		}
		e.mu.Lock()
		m.deaf = false
		e.mu.Unlock()
		time.Sleep(10 * time.Second)
		if r.Status().Name == "" {
			t.Error("it was not tried again")
		}
		stop()
	})
}

func TestNamesThatDNSCannotCarryAreRefused(t *testing.T) {
	for _, c := range []mdns.Config{
		{}, {Host: "-a"}, {Host: "a.b"}, {Host: "ä"}, {Host: strings.Repeat("a", 64)},
		{Host: "a", Services: []mdns.Service{{Type: "http", Port: 80}}},
		{Host: "a", Services: []mdns.Service{{Type: "_http._tcp"}}},
		{Host: "a", Services: []mdns.Service{{Type: "_http._tcp", Port: 1, Text: []string{strings.Repeat("x", 256)}}}},
	} {
		if _, err := mdns.New(c); err == nil {
			t.Errorf("%+v was taken", c)
		}
	}
}

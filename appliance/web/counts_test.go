package web

import (
	"fmt"
	"net/netip"
	"testing"
	"time"
)

func TestFewPasswordsAreLookedAtAtATimeWhoeverSendsThem(t *testing.T) {
	now := time.Unix(1e9, 0)
	a := newAttempts(func() time.Time { return now })
	var ends []func(bool)
	for i := range maxTrying + 3 {
		wait, end := a.begin(guesser{known: fmt.Sprint("browser ", i)})
		if (end != nil) != (i < maxTrying) || end == nil && wait != time.Second {
			t.Fatalf("number %d: waits %v, is looked at: %v", i, wait, end != nil)
		}
		if end != nil {
			ends = append(ends, end)
		}
	}
	ends[0](false)
	if _, end := a.begin(guesser{known: "another"}); end == nil {
		t.Error("there is no room for another once one is done")
	}
}

func TestWrongPasswordsAreCountedOfABoundedNumberAndForgotten(t *testing.T) {
	now := time.Unix(1e9, 0)
	a := newAttempts(func() time.Time { return now })
	try := func(who guesser) (looked bool) {
		_, end := a.begin(who)
		if end != nil {
			end(false)
		}
		return end != nil
	}
	for i := range maxAddresses {
		if !try(guesser{known: fmt.Sprint("browser ", i)}) {
			t.Fatalf("number %d must wait", i)
		}
	}
	stranger := guesser{addr: netip.MustParseAddr("192.168.1.9")}
	if try(stranger) || len(a.by) != maxAddresses {
		t.Errorf("one more was looked at; %d are counted", len(a.by))
	}
	if !try(guesser{known: "browser 0"}) {
		t.Error("one of them must wait for the others")
	}
	now = now.Add(forgetAfter)
	if !try(stranger) || len(a.by) != 1 {
		t.Errorf("after an hour %d are counted", len(a.by))
	}
}

func TestNoAddressWaitsLongerThanTheLongestWait(t *testing.T) {
	now := time.Unix(1e9, 0)
	a := newAttempts(func() time.Time { return now })
	who := guesser{known: "browser"}
	for range 100 {
		wait, end := a.begin(who)
		if wait > longestWait {
			t.Fatalf("it waits %v", wait)
		}
		if now = now.Add(wait); end != nil {
			end(false)
		}
	}
	_, end := a.begin(who)
	end(true)
	if len(a.by) != 0 {
		t.Errorf("the right one left %v", a.by)
	}
}

func TestSignInsEndByThemselvesAndAllAtOnce(t *testing.T) {
	start := time.Unix(1e9, 0)
	s := NewSessions()
	idle, used := s.begin(start, 0), s.begin(start, 0)
	now := start
	for ; now.Sub(start) <= longSession; now = now.Add(idleSession) {
		if s.find(used, now) == nil {
			t.Fatalf("the one that is used ended after %v", now.Sub(start))
		}
		if now.After(start.Add(idleSession)) && s.find(idle, now) != nil {
			t.Fatalf("the idle one is there after %v", now.Sub(start))
		}
	}
	if s.find(used, now) != nil {
		t.Errorf("one is there after %v", now.Sub(start))
	}
	era := s.eraNow()
	one := s.begin(now, era)
	s.endAll()
	if late := s.begin(now, era); s.find(one, now) != nil || late != "" {
		t.Errorf("after all were signed out there is one, or a password of before counts: %q", late)
	}
	if again := s.begin(now, s.eraNow()); s.find(again, now) == nil {
		t.Error("nobody can sign in again")
	}
	if s.find("", now) != nil || s.tokenMatches("", s.token("")) {
		t.Error("a browser without a cookie counts")
	}
}

func TestOfTooManySignInsTheOneThatIsIdleLongestEnds(t *testing.T) {
	now := time.Unix(1e9, 0)
	s := NewSessions()
	var all []string
	for range maxSessions {
		now = now.Add(time.Second)
		all = append(all, s.begin(now, 0))
	}
	s.find(all[0], now.Add(time.Second)) // the oldest is used
	all = append(all, s.begin(now.Add(2*time.Second), 0))
	for i, cookie := range all {
		if there := s.find(cookie, now.Add(3*time.Second)) != nil; there != (i != 1) {
			t.Errorf("number %d is there: %v", i, there)
		}
	}
}

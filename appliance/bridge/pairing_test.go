package bridge

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const rightCode = "ABCD2345"

var monday = time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)

func addr(s string) netip.Addr { return netip.MustParseAddr(s) }

func TestRightCodePairsAndWrongDoesNot(t *testing.T) {
	p := NewPairing(rightCode, nil)
	from := addr("192.168.1.7")
	for _, code := range []string{"", "ABCD2346", "abcd2345", "ABCD2345 ", "ABCD234"} {
		if v := p.try(addr("10.0.0.1"), []byte(code), monday); v == verdictPaired {
			t.Errorf("code %q paired", code)
		}
	}
	if v := p.try(from, []byte(rightCode), monday); v != verdictPaired {
		t.Errorf("right code: verdict %d", v)
	}
}

func TestEmptyCodePairsNobody(t *testing.T) {
	p := NewPairing("", nil)
	for _, code := range []string{"", "\x00\x00\x00\x00\x00\x00\x00\x00", "        "} {
		if v := p.try(addr("10.0.0.1"), []byte(code), monday); v != verdictWrong {
			t.Errorf("code %q: verdict %d", code, v)
		}
	}
}

func TestFiveWrongCodesWithinAMinuteLockTheAddressOutForAMinute(t *testing.T) {
	p := NewPairing(rightCode, nil)
	from, other := addr("10.0.0.1"), addr("10.0.0.2")
	now := monday
	for i := range maxWrongCodes {
		if v := p.try(from, []byte("WRONG222"), now); v != verdictWrong {
			t.Fatalf("wrong code %d: verdict %d", i, v)
		}
		now = now.Add(10 * time.Second)
	}
	if v := p.try(from, []byte(rightCode), now); v != verdictLocked {
		t.Errorf("right code while locked out: verdict %d", v)
	}
	if !p.locked(from, now) || p.locked(other, now) {
		t.Error("the wrong address is locked out")
	}
	if v := p.try(other, []byte(rightCode), now); v != verdictPaired {
		t.Errorf("another address: verdict %d", v)
	}
	if v := p.try(from, []byte(rightCode), now.Add(wrongWindow)); v != verdictPaired {
		t.Errorf("after the minute: verdict %d", v)
	}
}

func TestSlowMistakesNeverLockOut(t *testing.T) {
	p := NewPairing(rightCode, nil)
	now := monday
	for i := range 40 {
		if v := p.try(addr("10.0.0.1"), []byte("WRONG222"), now); v != verdictWrong {
			t.Fatalf("mistake %d: verdict %d", i, v)
		}
		now = now.Add(wrongWindow / (maxWrongCodes - 1))
	}
}

func TestRightCodeClearsTheCount(t *testing.T) {
	p := NewPairing(rightCode, nil)
	from := addr("10.0.0.1")
	for range 3 {
		for range maxWrongCodes - 1 {
			p.try(from, []byte("WRONG222"), monday)
		}
		if v := p.try(from, []byte(rightCode), monday); v != verdictPaired {
			t.Fatalf("verdict %d", v)
		}
	}
}

func TestAllowListKnowsMappedAddressesAndZones(t *testing.T) {
	allow, err := ParseAllow("loopback, 192.168.1.0/24 10.1.2.3 ::ffff:10.9.0.0/112 fe80::/10")
	if err != nil {
		t.Fatal(err)
	}
	p := NewPairing("", allow)
	for _, s := range []string{"127.0.0.1", "127.255.0.9", "::1", "::ffff:127.0.0.1", "192.168.1.255",
		"::ffff:192.168.1.7", "10.1.2.3", "10.9.255.1", "fe80::1%eth0"} {
		if !p.allowed(addr(s)) {
			t.Errorf("%s is not let in", s)
		}
	}
	for _, s := range []string{"192.168.2.1", "10.1.2.4", "10.8.0.1", "::2", "2001:db8::1", "::ffff:10.1.2.4"} {
		if p.allowed(addr(s)) {
			t.Errorf("%s is let in", s)
		}
	}
	if (&Pairing{}).allowed(addr("127.0.0.1")) {
		t.Error("the zero Pairing lets somebody in")
	}
}

func TestUnreadableAllowListNamesTheWord(t *testing.T) {
	for _, list := range []string{"192.168.1.0/33", "home", "1.2.3", "10.0.0.1-10.0.0.9", "127.0.0.1:80"} {
		if got, err := ParseAllow(list); err == nil {
			t.Errorf("%q read as %v", list, got)
		}
	}
	if got, err := ParseAllow(" ,, "); err != nil || len(got) != 0 {
		t.Errorf("blank list: %v, %v", got, err)
	}
	got, err := ParseAllow("10.1.2.3/8")
	if err != nil || !got[0].Contains(addr("10.200.0.1")) {
		t.Errorf("a network with host bits set: %v, %v", got, err)
	}
}

func TestLockoutTableIsBoundedAndForgetsTheOldest(t *testing.T) {
	var l lockout
	now := monday
	for i := range 3 * maxLockoutAddrs {
		l.count(addr(fmt.Sprintf("10.0.%d.%d", i/256, i%256)), now)
		now = now.Add(time.Millisecond)
	}
	if len(l.byAddr) != maxLockoutAddrs {
		t.Errorf("%d addresses remembered, want %d", len(l.byAddr), maxLockoutAddrs)
	}
	if l.byAddr[addr("10.0.2.255")] == nil || l.byAddr[addr("10.0.0.0")] != nil {
		t.Error("not the oldest was forgotten")
	}
}

func TestOneIPv6HostCannotGuessFromEveryAddressItOwns(t *testing.T) {
	p := NewPairing(rightCode, nil)
	for i := range maxWrongCodes {
		p.try(addr(fmt.Sprintf("2001:db8::%x", i+1)), []byte("WRONG222"), monday)
	}
	if v := p.try(addr("2001:db8::ffff"), []byte(rightCode), monday); v != verdictLocked {
		t.Errorf("verdict %d, want locked", v)
	}
	if v := p.try(addr("2001:db8:0:1::1"), []byte(rightCode), monday); v != verdictPaired {
		t.Errorf("another network: verdict %d", v)
	}
}

func TestCodeAndListCanChangeWhileServing(t *testing.T) {
	p := NewPairing(rightCode, Loopback())
	p.SetCode("NEWCODE2")
	p.SetAllow(nil)
	got := []any{p.try(addr("10.0.0.1"), []byte(rightCode), monday),
		p.try(addr("10.0.0.1"), []byte("NEWCODE2"), monday), p.allowed(addr("127.0.0.1"))}
	if diff := cmp.Diff([]any{verdictWrong, verdictPaired, false}, got); diff != "" {
		t.Error(diff)
	}
}

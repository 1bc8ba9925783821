package ultimate_test

import (
	"net"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/ultimate"
	"github.com/prompt64/prompt64/appliance/ultimate/ultimatetest"
)

func finder(lan *ultimatetest.LAN) *ultimate.Finder {
	return &ultimate.Finder{Client: lan.Client(), Port: lan.Port, Wait: 400 * time.Millisecond}
}

// find looks until it has seen so many devices: a loaded machine may be slow to
// answer, and a search ends with its time.
func find(t *testing.T, f *ultimate.Finder, want int, known ...netip.Addr) []ultimate.Found {
	t.Helper()
	ctx := within(t)
	for {
		got, err := f.Find(ctx, known...)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) >= want {
			return got
		}
		f.Wait *= 2
	}
}

func TestEveryUltimateInTheNetworkIsFoundWithWhatIsOff(t *testing.T) {
	lan := ultimatetest.New(t)
	ready := lan.Add(ultimatetest.C64())
	ready.SetEnabled(true)
	off := lan.Add(ultimatetest.Plus())
	m := ultimatetest.Elite()
	m.Password = "moon"
	protected := lan.Add(m)
	m.UniqueID, m.NoREST = "AAAAAA", true
	unserved := lan.Add(m)

	got := find(t, finder(lan), 4)
	if len(got) != 4 {
		t.Fatalf("found %+v", got)
	}
	for i, want := range []struct {
		addr netip.Addr
		code ultimate.Code
	}{{ready.Address, ""}, {off.Address, ultimate.InterfaceOff}, {protected.Address, ultimate.PasswordNeeded}, {unserved.Address, ultimate.PasswordNeeded}} {
		if got[i].Address != want.addr || got[i].Product == "" {
			t.Errorf("%d is %+v", i, got[i])
		}
		wantTrouble(t, got[i].Trouble, want.code)
	}
	if n := len(protected.Requests()); n > 0 {
		t.Errorf("without its password it got %d requests", n)
	}
	f := finder(lan)
	f.Password = func(id ultimate.Identity) config.Secret {
		if id.UniqueID == protected.UniqueID || id.UniqueID == "AAAAAA" {
			return config.NewSecret("moon")
		}
		return config.Secret{}
	}
	got = find(t, f, 4)
	wantTrouble(t, got[2].Trouble, ultimate.InterfaceOff)
	wantTrouble(t, got[3].Trouble, ultimate.ServiceOff)
}

func TestDeviceWithTwoAddressesIsOne(t *testing.T) {
	lan := ultimatetest.New(t)
	first, second := lan.Add(ultimatetest.Elite()), lan.Add(ultimatetest.Elite())
	lan.Add(ultimatetest.Plus())
	got := find(t, finder(lan), 2)
	if len(got) != 2 || got[0].Address != first.Address || !slices.Equal(got[0].Also, []netip.Addr{second.Address}) {
		t.Errorf("found %+v", got)
	}
}

func TestKnownAddressIsLookedAtAlthoughItDoesNotIdentifyItself(t *testing.T) {
	lan := ultimatetest.New(t)
	m := ultimatetest.Elite()
	m.NoIdent = true
	u := lan.Add(m)
	got := find(t, finder(lan), 3, u.Address, lan.Free(), netip.MustParseAddr("8.8.8.8"))
	if len(got) != 3 || got[0].Product != m.Product || !got[0].Own.IsValid() {
		t.Fatalf("found %+v", got)
	}
	wantTrouble(t, got[0].Trouble, ultimate.InterfaceOff)
	wantTrouble(t, got[1].Trouble, ultimate.Unreachable)
	wantTrouble(t, got[2].Trouble, ultimate.NotLocal)
}

// The one who answers decides neither whom we speak to next nor to how many.
func TestAnswerMakesUsContactNothingButItsSource(t *testing.T) {
	lan := ultimatetest.New(t)
	victim := lan.Add(ultimatetest.Elite())
	honest := victim.Model
	conn, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.AddrPortFrom(lan.Free(), 0)))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	// From another port than the service's, and with addresses in every field.
	question := make(chan netip.AddrPort, 8)
	go func() {
		defer close(question)
		buf := make([]byte, 2048)
		for {
			_, from, err := conn.ReadFromUDPAddrPort(buf)
			if err != nil {
				return
			}
			select {
			case question <- from:
			default:
			}
		}
	}()
	before := len(victim.Requests())
	f := finder(lan)
	f.Port = conn.LocalAddr().(*net.UDPAddr).AddrPort().Port()
	done := make(chan []ultimate.Found)
	go func() {
		got, _ := f.Find(within(t), lan.Free())
		done <- got
	}()
	from := <-question
	// The right port, but the token is not ours.
	_, _ = conn.WriteToUDPAddrPort([]byte(`{"product":"Ultimate","your_string":"guess","address":"`+victim.Address.String()+`"}`), from)
	// Another port and another address than the one that was asked.
	victim.Say(from, `{"product":"Ultimate","your_string":"guess"}`)
	for _, d := range <-done {
		if d.Address != lan.Free() || d.Product != "" {
			t.Errorf("found %+v", d)
		}
	}
	if got := victim.Requests()[before:]; len(got) > 0 {
		t.Errorf("%s got %v", honest.Product, got)
	}
	_ = conn.Close()
	for range question {
		continue
	}
}

func TestSearchWithoutANetworkSaysSo(t *testing.T) {
	f := ultimate.Finder{Client: &ultimate.Client{Networks: func() ([]ultimate.Network, error) { return nil, nil }}}
	if _, err := f.Find(within(t)); err == nil {
		t.Error("it searched nowhere and was content")
	}
}

package wifi_test

import (
	"net/netip"
	"testing"

	"github.com/prompt64/prompt64/appliance/wifi"
)

func TestStatusFitsIntoOneLine(t *testing.T) {
	for want, s := range map[string]wifi.Status{
		"starting":                     {},
		"no network is set up":         {State: wifi.Unset},
		"trying again":                 {State: wifi.Waiting},
		"joining: Home":                {State: wifi.Joining, SSID: "Home"},
		"waiting for an address: Home": {State: wifi.Addressing, SSID: "Home"},
		"Home, 10.0.0.7, signal weak":  {State: wifi.Online, SSID: "Home", SignalDBm: -80, Address: netip.MustParsePrefix("10.0.0.7/8")},
		"Home, 10.0.0.7":               {State: wifi.Online, SSID: "Home", Address: netip.MustParsePrefix("10.0.0.7/8")},
	} {
		if got := s.Line(); got != want {
			t.Errorf("line is %q, want %q", got, want)
		}
	}
}

func TestQualityIsToldInWords(t *testing.T) {
	for dBm, want := range map[int]string{0: "", -40: "strong", -60: "strong", -61: "good", -73: "weak", -83: "very weak"} {
		if got := wifi.Quality(dBm); got != want {
			t.Errorf("%d dBm are %q, want %q", dBm, got, want)
		}
	}
}

// TestEveryCauseHasWords keeps a cause from being told as an empty sentence.
func TestEveryCauseHasWords(t *testing.T) {
	seen := map[string]wifi.Cause{}
	for c := wifi.RadioMissing; c <= wifi.InterfaceGone; c++ {
		words := (&wifi.Failure{Cause: c, SSID: "Home"}).Error()
		if other, there := seen[words]; there {
			t.Errorf("causes %d and %d have the same words: %q", c, other, words)
		}
		seen[words] = c
		if len(words) < 20 || words == `"Home": it cannot be joined` {
			t.Errorf("cause %d is told as %q", c, words)
		}
	}
}

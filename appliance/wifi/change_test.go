package wifi_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/wifi"
	"github.com/prompt64/prompt64/appliance/wifi/wifitest"
)

// two is a world with two networks.
func two() *wifitest.World {
	w := home()
	w.Put(wifitest.AP{SSID: "Attic", BSSID: ap2, Key: "attic's own key", SignalDBm: -65, Subnet: "192.168.2"})
	return w
}

var attic = network("Attic", "attic's own key")

func TestChangedSettingsAreTakenOver(t *testing.T) {
	bubble(t, two, func(r *rig) {
		r.online("Home", 30*time.Second)
		r.settings.set(attic)
		r.online("Attic", 30*time.Second)
		if s := r.m.Status(); s.Fallback || s.LastFailure != "" {
			t.Errorf("status is %+v", s)
		}
		r.Kick(3)
		r.Remove(ap2)
		r.failed(wifi.NoSuchNetwork, "Attic", time.Minute)
		time.Sleep(time.Hour)
		if r.In() != "" {
			t.Errorf("in %q, whose settings are gone and were replaced with success", r.In())
		}
	}, homeKey)
}

func TestFormerNetworkIsTakenAgainWhereTheNewOneFails(t *testing.T) {
	bubble(t, two, func(r *rig) {
		r.online("Home", 30*time.Second)
		r.settings.set(network("Attic", "mistyped key"))
		r.within(2*time.Minute, "fallback", func() bool { s := r.m.Status(); return s.State == wifi.Online && s.Fallback })
		r.online("Home", 0)
		want := `"Attic": the password seems to be wrong; enter it again; meanwhile the device is in "Home", as before the change`
		if got := r.m.Status().LastFailure; got != want {
			t.Errorf("failure is %q, want %q", got, want)
		}
		if n := r.Count("join Attic"); n != 3 {
			t.Errorf("the new network was tried %d times, want 3", n)
		}
		time.Sleep(time.Hour)
		if n := r.Count("join Attic"); n != 3 {
			t.Error("the former network was left without a reason")
		}
		// Its owner mends the settings.
		r.settings.set(attic)
		r.online("Attic", time.Minute)
		if s := r.m.Status(); s.Fallback || s.LastFailure != "" {
			t.Errorf("status is %+v", s)
		}
	}, homeKey)
}

func TestLostFormerNetworkIsTriedAfterTheNewOnes(t *testing.T) {
	bubble(t, two, func(r *rig) {
		r.online("Home", 30*time.Second)
		r.settings.set(network("Attic", "mistyped key"))
		r.within(2*time.Minute, "fallback", func() bool { return r.m.Status().Fallback })
		time.Sleep(5 * time.Minute)
		r.Kick(4)
		r.online("Home", time.Minute)
		if n := r.Count("join Attic"); n != 4 {
			t.Errorf("the new network was tried %d times, want 4", n)
		}
	}, homeKey)
}

func TestRemovedNetworksAreLeft(t *testing.T) {
	bubble(t, two, func(r *rig) {
		r.online("Home", 30*time.Second)
		r.settings.set()
		r.within(10*time.Second, "leave", func() bool { return r.In() == "" && r.m.Status().State == wifi.Unset })
		if r.Clients() != 0 {
			t.Error("the DHCP client still runs")
		}
		time.Sleep(time.Hour)
		if n := r.Count("join"); n != 1 {
			t.Errorf("%d joins without a network", n)
		}
	}, homeKey)
}

func TestNetworkInUseStaysWhereItMay(t *testing.T) {
	for name, c := range map[string]struct {
		stay bool
		set  func(r *rig)
	}{
		"one more behind it": {true, func(r *rig) { r.settings.set(homeKey, attic) }},
		"the same again":     {true, func(r *rig) { r.settings.set(homeKey) }},
		"one before it":      {false, func(r *rig) { r.settings.set(attic, homeKey) }},
		"another key": {false, func(r *rig) {
			r.Change(ap1, func(a *wifitest.AP) { a.Key = "another horse" })
			r.settings.set(network("Home", "another horse"))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, two, func(r *rig) {
				r.online("Home", 30*time.Second)
				c.set(r)
				time.Sleep(time.Minute)
				if stayed := r.Count("join") == 1; stayed != c.stay {
					t.Errorf("stayed: %v, want %v", stayed, c.stay)
				}
			}, homeKey)
		})
	}
}

func TestFirstNetworkIsSetUpWhileTheManagerRuns(t *testing.T) {
	bubble(t, home, func(r *rig) {
		r.within(time.Minute, "nothing to do", func() bool { return r.m.Status().State == wifi.Unset })
		r.settings.set(homeKey)
		r.online("Home", 15*time.Second)
	})
}

func TestChangeIsTakenOverInTheMiddleOfAnAttempt(t *testing.T) {
	w := func() *wifitest.World { w := two(); w.Change(ap1, func(a *wifitest.AP) { a.Mute = true }); return w }
	bubble(t, w, func(r *rig) {
		r.within(time.Minute, "an attempt", func() bool { return r.m.Status().State == wifi.Joining })
		r.settings.set(attic)
		r.online("Attic", 10*time.Second)
	}, homeKey)
}

func TestScanShowsWhatThereIs(t *testing.T) {
	crowd := func() *wifitest.World {
		w := two()
		w.Put(wifitest.AP{SSID: "Home", BSSID: "02:00:00:00:00:03", Key: "correct horse", SignalDBm: -40})
		w.Put(wifitest.AP{SSID: "New", BSSID: "02:00:00:00:00:04", Security: wifi.WPA3, SignalDBm: -70})
		w.Put(wifitest.AP{SSID: "Shy", BSSID: "02:00:00:00:00:05", Hidden: true})
		return w
	}
	want := []wifi.Found{
		{SSID: "Home", SignalDBm: -40, Security: wifi.WPA2},
		{SSID: "Attic", SignalDBm: -65, Security: wifi.WPA2},
		{SSID: "New", SignalDBm: -70, Security: wifi.WPA3, Trouble: "it speaks WPA3 only, which cannot be joined; let the router speak WPA2 too"},
	}
	for name, unset := range map[string]bool{"before a network is set up": true, "while online": false} {
		t.Run(name, func(t *testing.T) {
			bubble(t, crowd, func(r *rig) {
				if !unset {
					r.settings.set(homeKey)
					r.online("Home", 30*time.Second)
				}
				found, err := r.m.Scan(r.t.Context())
				if err != nil || !slices.Equal(found, want) {
					t.Errorf("found %+v, %v", found, err)
				}
				if !unset && r.Count("join") != 1 {
					t.Error("a scan lost the network")
				}
			})
		})
	}
}

func TestScanWaitsForAnAttempt(t *testing.T) {
	w := func() *wifitest.World { w := home(); w.Change(ap1, func(a *wifitest.AP) { a.Mute = true }); return w }
	bubble(t, w, func(r *rig) {
		r.within(time.Minute, "an attempt", func() bool { return r.m.Status().State == wifi.Joining })
		found, err := r.m.Scan(r.t.Context())
		if err != nil || len(found) != 1 {
			t.Errorf("found %v, %v", found, err)
		}
	}, homeKey)
}

func TestScanWithoutARadioSaysSo(t *testing.T) {
	bubble(t, func() *wifitest.World { w := home(); w.Lack(wifi.MissingRadio); return w }, func(r *rig) {
		if _, err := r.m.Scan(r.t.Context()); err == nil || !strings.Contains(err.Error(), "no Wi-Fi radio") {
			t.Errorf("error is %v", err)
		}
	}, homeKey)
}

func TestScanEndsWithItsContext(t *testing.T) {
	bubble(t, home, func(r *rig) {
		r.online("Home", 30*time.Second)
		r.Sicken(true)
		ctx, cancel := context.WithTimeout(r.t.Context(), time.Second)
		defer cancel()
		if _, err := r.m.Scan(ctx); err == nil {
			t.Error("a scan of a dead radio succeeded")
		}
	}, homeKey)
}

package wifi_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/wifi"
	"github.com/prompt64/prompt64/appliance/wifi/wifitest"
)

var homeKey = network("Home", "correct horse")

const ap2 = "02:00:00:00:00:02"

func TestRoamRenewsDHCP(t *testing.T) {
	mesh := func() *wifitest.World {
		w := home()
		w.Put(wifitest.AP{SSID: "Home", BSSID: ap2, Key: "correct horse", SignalDBm: -60, Subnet: "192.168.2"})
		return w
	}
	for name, deaf := range map[string]bool{"told": false, "only seen": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, mesh, func(r *rig) {
				if deaf {
					r.Deafen()
				}
				r.online("Home", 30*time.Second)
				time.Sleep(20 * time.Second)
				r.Roam(ap2)
				r.within(15*time.Second, "an address of the other access point", func() bool {
					return r.Usable() && strings.HasPrefix(r.m.Status().Address.String(), "192.168.2.")
				})
				if r.Count("dhcp "+ap2) != 1 || r.Clients() != 1 {
					t.Errorf("%d clients run; journal %q", r.Clients(), r.Journal())
				}
				if r.Count("join") != 1 {
					t.Error("a roam was taken for a loss")
				}
			}, homeKey)
		})
	}
}

func TestReassociationWithTheSameAccessPointRenewsDHCP(t *testing.T) {
	for name, deaf := range map[string]bool{"told": false, "only seen": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, home, func(r *rig) {
				if deaf {
					r.Deafen()
				}
				r.online("Home", 30*time.Second)
				time.Sleep(20 * time.Second)
				r.Roam(ap1)
				r.within(15*time.Second, "a new lease", func() bool { return r.Usable() && r.Count("dhcp") == 2 })
				time.Sleep(time.Minute)
				if r.Count("dhcp") != 2 {
					t.Errorf("DHCP was started %d times", r.Count("dhcp"))
				}
			}, homeKey)
		})
	}
}

func TestDHCPClientThatEndsIsStartedAgain(t *testing.T) {
	bubble(t, home, func(r *rig) {
		r.online("Home", 30*time.Second)
		for range 3 {
			before := r.Count("dhcp")
			r.KillClient()
			r.within(30*time.Second, "another client", func() bool { return r.Count("dhcp") > before && r.Clients() == 1 })
		}
		if r.Count("join") != 1 {
			t.Error("the network was left")
		}
	}, homeKey)
}

func TestLostNetworkIsJoinedAgain(t *testing.T) {
	bubble(t, home, func(r *rig) {
		r.online("Home", 30*time.Second)
		time.Sleep(5 * time.Minute)
		r.Kick(4)
		r.within(10*time.Second, "the loss", func() bool { return r.m.Status().Cause == wifi.LostLink })
		if got := r.m.Status().LastFailure; !strings.Contains(got, `"Home" was lost: the router heard nothing`) {
			t.Errorf("failure is %q", got)
		}
		if s := r.m.Status(); s.Address.IsValid() || s.BSSID != "" {
			t.Errorf("status still is %+v", s)
		}
		r.online("Home", 15*time.Second)
	}, homeKey)
}

func TestNetworkThatIsAwayForDaysIsTriedAllTheTime(t *testing.T) {
	bubble(t, home, func(r *rig) {
		r.online("Home", 30*time.Second)
		r.Put(wifitest.AP{SSID: "Neighbour", BSSID: ap2, Key: "neighbour's key"})
		r.Remove(ap1)
		time.Sleep(3 * 24 * time.Hour)
		r.Put(wifitest.AP{SSID: "Home", BSSID: ap1, Key: "correct horse"})
		r.online("Home", 2*time.Minute)
		if n := r.Count("scan"); n > 3*24*60+10 {
			t.Errorf("%d scans in three days: more than one a minute", n)
		}
	}, homeKey)
}

// TestDeauthStormEndsOnline lets an access point throw the device out as soon as
// it has an address, for ten minutes.
func TestDeauthStormEndsOnline(t *testing.T) {
	bubble(t, home, func(r *rig) {
		for end := time.Now().Add(10 * time.Minute); time.Now().Before(end); time.Sleep(time.Second) {
			r.Kick(2 + uint16(time.Now().Second()%3))
		}
		if n := r.Count("join"); n > 40 {
			t.Errorf("%d joins in ten minutes: there is no back-off", n)
		}
		r.online("Home", 2*time.Minute)
	}, homeKey)
}

func TestBlockOfTenMinutesEndsOnline(t *testing.T) {
	bubble(t, home, func(r *rig) {
		r.online("Home", 30*time.Second)
		r.Change(ap1, func(a *wifitest.AP) { a.Mute = true })
		r.Kick(5)
		time.Sleep(10 * time.Minute)
		r.Change(ap1, func(a *wifitest.AP) { a.Mute = false })
		r.online("Home", 2*time.Minute)
	}, homeKey)
}

func TestVanishedInterfaceIsFoundUnderAnotherName(t *testing.T) {
	for name, deaf := range map[string]bool{"told": false, "only seen": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, home, func(r *rig) {
				if deaf {
					r.Deafen()
				}
				r.online("Home", 30*time.Second)
				r.Vanish()
				r.within(30*time.Second, "notice", func() bool { return r.m.Status().Cause == wifi.InterfaceGone })
				time.Sleep(5 * time.Second)
				r.Return("wlan1")
				r.online("Home", time.Minute)
				if got := r.m.Status().Interface; got != "wlan1" {
					t.Errorf("interface is %q", got)
				}
				if n := r.Clients(); n != 1 {
					t.Errorf("%d DHCP clients", n)
				}
			}, homeKey)
		})
	}
}

func TestInterfaceThatStaysAwayGetsItsDriverLoadedAnew(t *testing.T) {
	bubble(t, home, func(r *rig) {
		r.online("Home", 30*time.Second)
		r.Vanish()
		r.online("Home", 5*time.Minute)
		if r.Count("unload") != 1 || r.Count("load") != 1 {
			t.Errorf("journal %q", r.Journal())
		}
	}, homeKey)
}

func TestRadioThatStopsAnsweringIsReset(t *testing.T) {
	for name, c := range map[string]struct {
		deeply bool
		reset  string
	}{"switched": {false, "down"}, "loaded anew": {true, "unload"}} {
		t.Run(name, func(t *testing.T) {
			bubble(t, home, func(r *rig) {
				r.online("Home", 30*time.Second)
				r.Sicken(c.deeply)
				r.failed(wifi.ScanFault, "looking for networks fails", 5*time.Minute)
				r.online("Home", 30*time.Minute)
				if r.Count(c.reset) == 0 {
					t.Errorf("no %s in %q", c.reset, r.Journal())
				}
				if !c.deeply && r.Count("unload") > 0 {
					t.Error("the driver was loaded anew where switching helps")
				}
			}, homeKey)
		})
	}
}

func TestWrongPasswordResetsNoRadio(t *testing.T) {
	bubble(t, home, func(r *rig) {
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		if r.Count("down")+r.Count("unload") > 0 {
			t.Errorf("journal %q", r.Journal())
		}
		if n := r.Count("join"); n < 60 {
			t.Errorf("%d joins in two hours: it gave up", n)
		}
	}, network("Home", "wrong horse"))
}

func TestRadioThatWasBlockedIsUsedOnceItMay(t *testing.T) {
	bubble(t, home, func(r *rig) {
		r.online("Home", 30*time.Second)
		r.Block(true)
		r.failed(wifi.RadioBlocked, "rfkill", time.Minute)
		time.Sleep(time.Hour)
		r.Block(false)
		r.online("Home", 2*time.Minute)
	}, homeKey)
}

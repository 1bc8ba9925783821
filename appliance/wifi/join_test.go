package wifi_test

import (
	"syscall"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/wifi"
	"github.com/prompt64/prompt64/appliance/wifi/wifitest"
)

func TestNetworkOfTheSettingsIsJoinedAndGetsAnAddress(t *testing.T) {
	bubble(t, home, func(r *rig) {
		r.online("Home", 30*time.Second)
		r.within(time.Minute, "signal and access point", func() bool { return r.m.Status().SignalDBm == -50 && r.m.Status().BSSID == ap1 })
		s := r.m.Status()
		if s.Interface != "wlan0" || !s.Address.IsValid() || s.LastFailure != "" || s.Frequency != 2437 {
			t.Errorf("status is %+v", s)
		}
		if got, want := s.Line(), "Home, 192.168.1.3, signal strong"; got != want {
			t.Errorf("line is %q, want %q", got, want)
		}
	}, network("Home", "correct horse"))
}

func TestOpenNetworkIsJoined(t *testing.T) {
	open := func() *wifitest.World { return wifitest.New(wifitest.AP{SSID: "Cafe", BSSID: ap1}) }
	bubble(t, open, func(r *rig) { r.online("Cafe", 30*time.Second) }, network("Cafe", ""))
}

func TestNetworksAreTriedInTheOrderOfTheSettings(t *testing.T) {
	both := func() *wifitest.World {
		return wifitest.New(
			wifitest.AP{SSID: "Loud", BSSID: "02:00:00:00:00:02", SignalDBm: -30},
			wifitest.AP{SSID: "First", BSSID: ap1, SignalDBm: -70})
	}
	bubble(t, both, func(r *rig) {
		r.online("First", 30*time.Second)
		if r.Count("join Loud") > 0 {
			t.Error("the louder network was tried")
		}
	}, network("Absent", "whatever it is"), network("First", ""), network("Loud", ""))
}

func TestNextNetworkIsTriedWhereTheFirstFails(t *testing.T) {
	both := func() *wifitest.World {
		w := home()
		w.Put(wifitest.AP{SSID: "Phone", BSSID: "02:00:00:00:00:02", Key: "phone's own key"})
		return w
	}
	bubble(t, both, func(r *rig) {
		r.online("Phone", time.Minute)
		r.failed(wifi.WrongPassword, `"Home": the password seems to be wrong`, 0)
	}, network("Home", "wrong horse"), network("Phone", "phone's own key"))
}

// TestFailureIsToldInWords has one world for each failure.
func TestFailureIsToldInWords(t *testing.T) {
	with := func(change func(*wifitest.AP)) func() *wifitest.World {
		return func() *wifitest.World {
			w := home()
			w.Change(ap1, change)
			return w
		}
	}
	lacking := func(m wifi.Missing) func() *wifitest.World {
		return func() *wifitest.World { w := home(); w.Lack(m); return w }
	}
	right, open := network("Home", "correct horse"), network("Home", "")
	for name, c := range map[string]struct {
		world func() *wifitest.World
		try   config.Network
		cause wifi.Cause
		words string
	}{
		"wrong password":   {home, network("Home", "wrong horse"), wifi.WrongPassword, `"Home": the password seems to be wrong`},
		"no such network":  {home, network("home", "correct horse"), wifi.NoSuchNetwork, `"home": no such network`},
		"nothing at all":   {func() *wifitest.World { return wifitest.New() }, right, wifi.NothingSeen, "no network at all"},
		"WPA3 only":        {with(func(a *wifitest.AP) { a.Security = wifi.WPA3 }), right, wifi.WPA3Only, "WPA3 only"},
		"enterprise":       {with(func(a *wifitest.AP) { a.Security = wifi.Enterprise }), right, wifi.EnterpriseOnly, "user's name"},
		"key needed":       {home, open, wifi.KeyNeeded, "wants a password"},
		"key not used":     {with(func(a *wifitest.AP) { a.Security, a.Key = wifi.Open, "" }), right, wifi.KeyNotUsed, "does not speak WPA2"},
		"full":             {with(func(a *wifitest.AP) { a.Refuses = 17 }), right, wifi.RefusedJoin, "serves as many as it can"},
		"refused":          {with(func(a *wifitest.AP) { a.Refuses = 37 }), right, wifi.RefusedJoin, "refuses (code 37)"},
		"silent":           {with(func(a *wifitest.AP) { a.Mute = true }), right, wifi.NoAnswer, "does not answer"},
		"weak":             {with(func(a *wifitest.AP) { a.Mute, a.SignalDBm = true, -88 }), right, wifi.WeakSignal, "too weak"},
		"no address":       {with(func(a *wifitest.AP) { a.NoDHCP = true }), right, wifi.NoAddress, "gives no address"},
		"no radio":         {lacking(wifi.MissingRadio), right, wifi.RadioMissing, "no Wi-Fi radio"},
		"no driver":        {lacking(wifi.MissingDriver), right, wifi.DriverMissing, "no driver"},
		"no firmware":      {lacking(wifi.MissingFirmware), right, wifi.FirmwareMissing, "firmware"},
		"blocked":          {func() *wifitest.World { w := home(); w.Block(true); return w }, right, wifi.RadioBlocked, "rfkill"},
		"cannot join WPA2": {func() *wifitest.World { w := home(); w.FailJoins(wifi.ErrNotSupported); return w }, right, wifi.DriverNoWPA2, "cannot join WPA2"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, c.world, func(r *rig) { r.failed(c.cause, c.words, 2*time.Minute) }, c.try)
		})
	}
}

func TestFailureIsForgottenOnceAllIsWell(t *testing.T) {
	bubble(t, home, func(r *rig) {
		r.failed(wifi.WrongPassword, "password", time.Minute)
		r.settings.set(network("Home", "correct horse"))
		r.online("Home", 30*time.Second)
		if s := r.m.Status(); s.LastFailure != "" || s.Cause != wifi.NoCause {
			t.Errorf("status is %+v", s)
		}
	}, network("Home", "wrong horse"))
}

func TestHiddenNetworkIsJoined(t *testing.T) {
	hidden := func() *wifitest.World {
		return wifitest.New(wifitest.AP{SSID: "Shy", BSSID: ap1, Key: "correct horse", Hidden: true})
	}
	bubble(t, hidden, func(r *rig) { r.online("Shy", time.Minute) }, network("Shy", "correct horse"))
}

func TestBusyAndAbortedScansAreTriedAgain(t *testing.T) {
	for name, err := range map[string]error{
		"busy": syscall.EBUSY, "timed out": syscall.ETIMEDOUT, "aborted": wifi.ErrScanAborted,
	} {
		t.Run(name, func(t *testing.T) {
			w := func() *wifitest.World { w := home(); w.FailScans(err, err, err); return w }
			bubble(t, w, func(r *rig) {
				r.online("Home", 30*time.Second)
				if got := r.Count("scan"); got != 4 {
					t.Errorf("%d scans, want 4", got)
				}
			}, network("Home", "correct horse"))
		})
	}
}

func TestBusyDriverIsAskedAgainToJoin(t *testing.T) {
	w := func() *wifitest.World { w := home(); w.FailJoins(syscall.EBUSY, syscall.EALREADY); return w }
	bubble(t, w, func(r *rig) { r.online("Home", 30*time.Second) }, network("Home", "correct horse"))
}

func TestRegionOfTheSettingsIsInForceBeforeTheFirstScan(t *testing.T) {
	n := network("Home", "correct horse")
	n.Region = "DE"
	bubble(t, home, func(r *rig) {
		r.online("Home", 30*time.Second)
		if got := r.Journal()[0]; got != "region DE" {
			t.Errorf("the first thing done was %q", got)
		}
		if got := r.Count("region"); got != 1 {
			t.Errorf("the region was set %d times", got)
		}
	}, n)
}

package main

import (
	"context"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/health/checks"
	"github.com/prompt64/prompt64/appliance/web"
	"github.com/prompt64/prompt64/appliance/wifi"
	"github.com/prompt64/prompt64/appliance/wifi/wifitest"
)

func TestOnlyADeviceLooksAfterTheWifiUnasked(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want bool
	}{
		"workstation": {nil, false},
		"asked":       {[]string{"-wifi"}, true},
		"device":      {[]string{"-device"}, true},
	} {
		o, err := parseServe(streams{}, c.args)
		if err != nil {
			t.Fatal(err)
		}
		a := &app{options: o, log: slog.New(slog.DiscardHandler)}
		a.makeWifi()
		if got := a.wifi != nil; got != c.want {
			t.Errorf("%s: looked after: %v, want %v", name, got, c.want)
		}
		if part := a.wifiPart(); (part.Service != nil) != c.want || (a.radioHealth() != nil) != c.want {
			t.Errorf("%s: part %+v", name, part)
		}
		for _, end := range a.closers {
			if err := end(t.Context()); err != nil {
				t.Error(err)
			}
		}
	}
}

// oneNetwork are settings with one network.
type oneNetwork config.Network

func (n oneNetwork) Subscribe() (<-chan config.Settings, func()) {
	ch := make(chan config.Settings, 1)
	ch <- config.Settings{Wifi: []config.Network{config.Network(n)}}
	return ch, func() {}
}

func TestStatusShowsTheWifiInWords(t *testing.T) {
	for name, c := range map[string]struct {
		key  string
		want []string
	}{
		"joined":         {"correct horse", []string{"WI-FI: Home, 192.168.1.3, signal strong"}},
		"wrong password": {"wrong horse", []string{"WI-FI: trying again", `WI-FI TROUBLE: "Home": the password seems to be wrong; enter it again`}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				world := wifitest.New(wifitest.AP{SSID: "Home", BSSID: "02:00:00:00:00:01", Key: "correct horse"})
				a := &app{wifi: wifi.New(wifi.Config{
					Radio: world, Host: world,
					Settings: oneNetwork{SSID: "Home", PSK: config.NewSecret(c.key)},
				})}
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan error, 1)
				go func() { done <- a.wifi.Serve(ctx) }()
				end := time.Now().Add(time.Minute)
				for !slices.Equal(a.wifiStatus(), c.want) && time.Now().Before(end) {
					time.Sleep(100 * time.Millisecond)
				}
				if got := a.wifiStatus(); !slices.Equal(got, c.want) {
					t.Errorf("rows are %q, want %q", got, c.want)
				}
				if strings.Contains(strings.Join(a.wifiStatus(), " "), c.key) {
					t.Error("the key is shown")
				}
				cancel()
				<-done
			})
		})
	}
}

func TestHealthHearsOfTheWifi(t *testing.T) {
	s := wifi.Status{State: wifi.Online, Interface: "wlan0", SSID: "Home", SignalDBm: -61, Address: netip.MustParsePrefix("192.168.1.3/24")}
	want := checks.Radio{Networks: 2, Joined: true, SSID: "Home", Signal: -61, Address: "192.168.1.3"}
	if got := radioOf(s, 2, false); got != want {
		t.Errorf("radio is %+v, want %+v", got, want)
	}
	s = wifi.Status{State: wifi.Waiting, LastFailure: "words"}
	want = checks.Radio{Networks: 1, Trouble: "words", NotNeeded: true}
	if got := radioOf(s, 1, true); got != want {
		t.Errorf("radio is %+v, want %+v", got, want)
	}
}

func TestPagesShowWhatAScanFinds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := wifitest.New(
			wifitest.AP{SSID: "Home", BSSID: "02:00:00:00:00:01", Key: "correct horse"},
			wifitest.AP{SSID: "New", BSSID: "02:00:00:00:00:02", Security: wifi.WPA3, SignalDBm: -75},
			wifitest.AP{SSID: "Cafe", BSSID: "02:00:00:00:00:03", SignalDBm: -90})
		page := pageWifi{wifi.New(wifi.Config{Radio: world, Host: world, Settings: oneNetwork{SSID: "Home", PSK: config.NewSecret("wrong horse")}})}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- page.Serve(ctx) }()
		time.Sleep(10 * time.Second)
		found, err := page.Scan(ctx)
		want := []web.WifiNetwork{
			{SSID: "Home", Signal: "strong", Locked: true},
			{SSID: "New", Signal: "weak", Locked: true, Why: "it speaks WPA3 only, which cannot be joined; let the router speak WPA2 too"},
			{SSID: "Cafe", Signal: "very weak"},
		}
		if err != nil || !slices.Equal(found, want) {
			t.Errorf("found %+v, %v", found, err)
		}
		if now, failure := page.Line(); now == "" || !strings.Contains(failure, "password seems to be wrong") {
			t.Errorf("line is %q, failure %q", now, failure)
		}
		cancel()
		<-done
	})
}

package wifi_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/leaks"
	"github.com/prompt64/prompt64/appliance/wifi"
	"github.com/prompt64/prompt64/appliance/wifi/wifitest"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// settings are the settings of a test.
type settings struct{ ch chan config.Settings }

func (s settings) Subscribe() (<-chan config.Settings, func()) { return s.ch, func() {} }

func (s settings) set(networks ...config.Network) { s.ch <- config.Settings{Wifi: networks} }

func network(ssid, psk string) config.Network {
	return config.Network{SSID: ssid, PSK: config.NewSecret(psk)}
}

// rig is a Manager at work in a world, in fake time.
type rig struct {
	*wifitest.World
	t        *testing.T
	m        *wifi.Manager
	settings settings
}

// bubble runs f with a Manager that has these networks, and sees to it that
// nothing is left when the Manager has ended.
func bubble(t *testing.T, w func() *wifitest.World, f func(r *rig), networks ...config.Network) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := &rig{World: w(), t: t, settings: settings{make(chan config.Settings, 1)}}
		last := time.Now()
		r.m = wifi.New(wifi.Config{
			Radio: r.World, Host: r.World, Settings: r.settings, Random: func() float64 { return 0.5 },
			Pet: func(context.Context) time.Duration {
				if gap := time.Since(last); gap > wifi.Deadline {
					t.Errorf("silent for %v, which would pass for stuck", gap)
				}
				last = time.Now()
				return wifi.Deadline / 5
			},
		})
		r.settings.set(networks...)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- r.m.Serve(ctx) }()
		f(r)
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("Serve ended with %v", err)
		}
		if gap := time.Since(last); gap > wifi.Deadline {
			t.Errorf("silent for the last %v", gap)
		}
		if n := r.Clients(); n != 0 {
			t.Errorf("%d DHCP clients are left", n)
		}
		if in := r.In(); in != "" {
			t.Errorf("still in %q after the end", in)
		}
	})
}

// home is the usual world.
func home() *wifitest.World {
	return wifitest.New(wifitest.AP{SSID: "Home", BSSID: "02:00:00:00:00:01", Key: "correct horse"})
}

const ap1 = "02:00:00:00:00:01"

// within waits until a condition holds, for some time of the bubble's.
func (r *rig) within(limit time.Duration, what string, ok func() bool) {
	r.t.Helper()
	for end := time.Now().Add(limit); ; time.Sleep(100 * time.Millisecond) {
		synctest.Wait()
		if ok() {
			return
		}
		if time.Now().After(end) {
			r.t.Fatalf("not within %v: %s; status %+v\n%s", limit, what, r.m.Status(), strings.Join(r.Journal(), "\n"))
		}
	}
}

func (r *rig) online(ssid string, limit time.Duration) {
	r.t.Helper()
	r.within(limit, "online in "+ssid, func() bool {
		s := r.m.Status()
		return s.State == wifi.Online && s.SSID == ssid && r.In() == ssid && r.Usable()
	})
}

func (r *rig) failed(cause wifi.Cause, words string, limit time.Duration) {
	r.t.Helper()
	r.within(limit, words, func() bool { return r.m.Status().Cause == cause })
	if got := r.m.Status().LastFailure; !strings.Contains(got, words) {
		r.t.Errorf("failure is %q, want %q in it", got, words)
	}
}

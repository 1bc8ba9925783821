package main

import (
	"context"

	"github.com/prompt64/prompt64/appliance/health/checks"
	"github.com/prompt64/prompt64/appliance/supervisor"
	"github.com/prompt64/prompt64/appliance/web"
	"github.com/prompt64/prompt64/appliance/wifi"
)

// makeWifi makes what keeps a device in its owner's Wi-Fi networks. On a
// workstation that is the business of others, unless it was asked for.
func (a *app) makeWifi() {
	if !a.options.wifi {
		return
	}
	radio, host, end := a.openRadio()
	a.onClose(func(context.Context) error { return end() })
	a.wifi = wifi.New(wifi.Config{
		Radio:    radio,
		Host:     host,
		Settings: a.settings,
		Log:      a.log.With("part", "wifi"),
		Pet:      supervisor.Pet,
	})
}

// wifiPart keeps the Wi-Fi joined.
func (a *app) wifiPart() supervisor.Part {
	if a.wifi == nil {
		return supervisor.Part{}
	}
	return supervisor.Part{Name: a.wifi.String(), Deadline: wifi.Deadline, Service: a.wifi}
}

// radioHealth is how the Wi-Fi does, where this program looks after it.
func (a *app) radioHealth() func() checks.Radio {
	if a.wifi == nil {
		return nil
	}
	return func() checks.Radio {
		s := a.wifi.Status()
		link, addr := checks.Network{System: checks.System(), Interfaces: checks.SystemInterfaces}.Place()
		return radioOf(s, len(a.settings.Settings().Wifi), addr.IsValid() && link != s.Interface)
	}
}

// radioOf says what a status means for the health.
func radioOf(s wifi.Status, networks int, cable bool) checks.Radio {
	r := checks.Radio{
		Networks: networks, SSID: s.SSID, Signal: s.SignalDBm,
		Joined:  s.State == wifi.Online || s.State == wifi.Addressing,
		Trouble: s.LastFailure, NotNeeded: cable,
	}
	if s.Address.IsValid() {
		r.Address = s.Address.Addr().String()
	}
	return r
}

// wifiStatus is the Wi-Fi's row of STATUS, and one for why another network is not
// the one in use.
func (a *app) wifiStatus() []string {
	if a.wifi == nil {
		return nil
	}
	s := a.wifi.Status()
	rows := []string{"WI-FI: " + s.Line()}
	if s.LastFailure != "" {
		rows = append(rows, "WI-FI TROUBLE: "+s.LastFailure)
	}
	return rows
}

// pageWifi shows the Wi-Fi on the pages.
type pageWifi struct{ *wifi.Manager }

var _ web.Wifi = pageWifi{}

// Line is how it is, and what went wrong last.
func (p pageWifi) Line() (now, failure string) {
	s := p.Status()
	return s.Line(), s.LastFailure
}

// Scan looks for networks.
func (p pageWifi) Scan(ctx context.Context) ([]web.WifiNetwork, error) {
	found, err := p.Manager.Scan(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]web.WifiNetwork, len(found))
	for i, f := range found {
		list[i] = web.WifiNetwork{
			SSID: f.SSID, Signal: wifi.Quality(f.SignalDBm), Locked: f.Security != wifi.Open, Why: f.Trouble,
		}
	}
	return list, nil
}

package main

import (
	"context"
	"path/filepath"

	"github.com/prompt64/prompt64/appliance/bootpart"
	"github.com/prompt64/prompt64/appliance/firstboot"
	"github.com/prompt64/prompt64/appliance/mdns"
	"github.com/prompt64/prompt64/appliance/update"
	"github.com/prompt64/prompt64/appliance/update/card"
	"github.com/prompt64/prompt64/appliance/wifi"
	"github.com/prompt64/prompt64/appliance/wifi/host"
	"github.com/prompt64/prompt64/appliance/wifi/nl80211"
)

// machine is what a device's parts work on. What is nil is this very machine's; a
// test that has none pretends it.
type machine struct {
	radio wifi.Radio // with host
	host  wifi.Host
	card  update.System
	grows firstboot.System
	air   func() (mdns.Air, error)
	// sandbox tries a Codex; one that is pretended is tried whoever the agent is.
	sandbox func(ctx context.Context, program string) error
}

// openRadio returns what the Wi-Fi works on, and what ends it.
func (a *app) openRadio() (wifi.Radio, wifi.Host, func() error) {
	if m := a.options.machine; m.radio != nil {
		return m.radio, m.host, func() error { return nil }
	}
	radio := nl80211.New()
	return radio, host.New(host.Config{Log: a.log.With("part", "wifi")}), radio.Close
}

// openCard returns what updates are written to. A machine that does not run from an
// image of ours has nothing like it.
func (a *app) openCard(dir string) (update.System, error) {
	if m := a.options.machine; m.card != nil {
		return m.card, nil
	}
	if _, err := card.ReadAbout("/"); err != nil {
		return nil, err
	}
	return card.Open(bootpart.Open(), dir, a.options.systemClock(a.log).Set), nil
}

// updatesFolder is the folder of updates in the data folder.
func (a *app) updatesFolder() string { return filepath.Join(a.options.data, "update") }

package nl80211

import (
	"slices"
	"strings"

	mdlayher "github.com/mdlayher/wifi"
	"github.com/prompt64/prompt64/appliance/wifi"
)

// accessPoint takes from a scan's result what matters here.
func accessPoint(b *mdlayher.BSS) wifi.AccessPoint {
	return wifi.AccessPoint{
		// A hidden network sends no name, or zeros of the name's length.
		SSID:      strings.Trim(b.SSID, "\x00"),
		BSSID:     b.BSSID.String(),
		SignalDBm: signal(b),
		Frequency: b.Frequency,
		Security:  security(b.RSN),
		Seen:      b.LastSeen,
	}
}

// signal is in dBm. Drivers without a scale of their own tell percent.
func signal(b *mdlayher.BSS) int {
	if b.Signal == 0 && b.SignalUnspecified > 0 {
		return int(b.SignalUnspecified)/2 - 100
	}
	return int(b.Signal) / 100 // from hundredths of a dBm
}

// security reads what the access point asks for, as far as mdlayher/wifi can
// join it: with a key of WPA2-PSK and the cipher CCMP.
func security(rsn mdlayher.RSNInfo) wifi.Security {
	has := func(kinds ...mdlayher.RSNAKM) bool {
		return slices.ContainsFunc(rsn.AKMs, func(a mdlayher.RSNAKM) bool { return slices.Contains(kinds, a) })
	}
	switch {
	case rsn.Version == 0:
		return wifi.Open
	case has(mdlayher.RSNAkmPSK), len(rsn.AKMs) == 0: // none: an element that was not understood
		return wifi.WPA2
	case has(mdlayher.RSNAkmSAE, mdlayher.RSNAkmFTSAE, mdlayher.RSNAkmPSKSHA256, mdlayher.RSNAkmFTPSK):
		return wifi.WPA3
	}
	return wifi.Enterprise
}

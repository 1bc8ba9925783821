package web

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
)

// scanTime bounds a search for networks.
const scanTime = 20 * time.Second

// wifiPart is the networks that the device joins.
func wifiPart() setupPart {
	return setupPart{"/setup/wifi", "Wi-Fi", "wifi", wifiNow, []route{
		{"GET /setup/wifi", signedIn, func(v *visit) error { return v.showWifi(http.StatusOK, wifiData{}) }},
		{"GET /setup/wifi/scan", signedIn, scanWifi},
		{"GET /setup/wifi/add", signedIn, func(v *visit) error {
			return v.showAdd(http.StatusOK, addForm(v.site, v.r.URL.Query().Get("ssid")))
		}},
		{"POST /setup/wifi/add", signedIn, addWifi},
		{"POST /setup/wifi/first", signedIn, changeWifi("It is tried first now.", func(list []config.Network, i int) []config.Network {
			one := list[i]
			return slices.Insert(slices.Delete(list, i, i+1), 0, one)
		})},
		{"POST /setup/wifi/forget", signedIn, changeWifi("Forgotten.", func(list []config.Network, i int) []config.Network {
			return slices.Delete(list, i, i+1)
		})},
	}}
}

func wifiNow(s *Site) setupNow {
	known := s.Settings.Settings().Wifi
	if s.Wifi == nil {
		return setupNow{Words: "this machine's own system looks after it"}
	}
	now, _ := s.Wifi.Line()
	return setupNow{Words: now, Done: len(known) > 0}
}

// wifiData is what templates/wifi.html shows.
type wifiData struct {
	There   bool // there is a radio of ours
	Now     string
	Failure string
	Known   []config.Network
	Scanned bool
	Found   []WifiNetwork
	Error   string
}

func (v *visit) showWifi(status int, data wifiData) error {
	data.Known = v.site.Settings.Settings().Wifi
	if v.site.Wifi != nil {
		data.There = true
		data.Now, data.Failure = v.site.Wifi.Line()
	}
	return v.show(status, "wifi", "Wi-Fi", data)
}

func scanWifi(v *visit) error {
	if v.site.Wifi == nil {
		return elsewhere("/setup/wifi")
	}
	var found []WifiNetwork
	err := within(v.r.Context(), scanTime, "the Wi-Fi is busy", func(ctx context.Context) (err error) {
		found, err = v.site.Wifi.Scan(ctx)
		return err
	})
	if err != nil {
		return v.showWifi(http.StatusServiceUnavailable,
			wifiData{Error: "The search did not work: " + strings.TrimPrefix(err.Error(), "scan: ") + ". Try again in a minute."})
	}
	return v.showWifi(http.StatusOK, wifiData{Scanned: true, Found: found})
}

func addForm(s *Site, ssid string) *form {
	region := ""
	if known := s.Settings.Settings().Wifi; len(known) > 0 {
		region = known[0].Region
	}
	return &form{Fields: []*field{
		{Name: "ssid", Label: "Name of the network", Type: "text", Value: ssid, Required: true, Exact: true, Max: 32},
		{Name: "psk", Label: "Its password", Type: "password", Hint: "Empty for an open network.", Max: 64},
		{Name: "region", Label: "Country", Type: "text", Value: region, Max: 2,
			Hint: "Two letters, such as DE or US: it decides which channels are allowed."},
	}}
}

func (v *visit) showAdd(status int, f *form) error {
	return v.show(status, "wifiadd", "Join a network", f)
}

func addWifi(v *visit) error {
	f := addForm(v.site, "")
	f.fill(v)
	err := v.save(func(s *config.Settings) error {
		return putFirst(s, config.Network{SSID: v.r.PostFormValue("ssid"), PSK: config.NewSecret(v.r.PostFormValue("psk")),
			Region: strings.ToUpper(v.value("region"))})
	})
	if err != nil {
		const at = "wifi[0]." // it is put first
		return v.showAdd(f.wrong(v, err, map[string]string{at + "ssid": "ssid", at + "psk": "psk", at + "region": "region"}), f)
	}
	if v.site.Wifi == nil {
		return v.goTo("/setup/wifi", "Saved.")
	}
	return v.goTo("/setup/wifi", "Saved. The device joins it now; this page may be gone for a moment.")
}

// putFirst makes a network the first that is tried. One that is known already takes
// what is new, and keeps what these pages do not know of it.
func putFirst(s *config.Settings, one config.Network) error {
	if i := indexOf(s.Wifi, one.SSID); i >= 0 {
		former := s.Wifi[i]
		former.PSK, former.Region = one.PSK, one.Region
		one, s.Wifi = former, slices.Delete(s.Wifi, i, i+1)
	}
	if len(s.Wifi) >= config.MaxNetworks {
		return fault{http.StatusConflict, fmt.Sprintf("%d networks are known, and no more fit: forget one first.", len(s.Wifi)), nil}
	}
	s.Wifi = slices.Insert(s.Wifi, 0, one)
	return nil
}

// changeWifi makes a handler that changes the list at the network which the form
// names.
func changeWifi(notice string, change func([]config.Network, int) []config.Network) func(*visit) error {
	return func(v *visit) error {
		err := v.save(func(s *config.Settings) error {
			i := indexOf(s.Wifi, v.r.PostFormValue("ssid"))
			if i < 0 {
				return fault{http.StatusConflict, "This network is not known any more.", nil}
			}
			s.Wifi = change(s.Wifi, i)
			return nil
		})
		if err != nil {
			words, status := v.told(err, http.StatusUnprocessableEntity)
			return v.showWifi(status, wifiData{Error: words})
		}
		return v.goTo("/setup/wifi", notice)
	}
}

func indexOf(list []config.Network, ssid string) int {
	return slices.IndexFunc(list, func(n config.Network) bool { return n.SSID == ssid })
}

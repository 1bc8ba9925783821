package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/web"
)

func TestNetworkThatIsEnteredAgainIsOneAndKeepsWhatThePagesDoNotKnow(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "config.json")
	if err := os.WriteFile(file, []byte(`{"version": 1, "wifi": [{"ssid": "Attic"}, {"ssid": "Home", "psk": "former password", "floor": "second"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	r := rigOn(t, config.Open(config.Options{Dir: dir}), nil)
	r.setPassword()
	r.signIn()
	res, _ := r.post("/setup/wifi/add", url.Values{"ssid": {"Home"}, "psk": {"newer password"}, "region": {"de"}})
	r.leadsTo(res, "/setup/wifi")
	w := r.store.Settings().Wifi
	if len(w) != 2 || w[0].SSID != "Home" || w[0].PSK.Reveal() != "newer password" || w[0].Region != "DE" || w[1].SSID != "Attic" {
		t.Errorf("the networks are %v", w)
	}
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), `"floor": "second"`) {
		t.Errorf("the file is %s, %v", text, err)
	}
}

func TestNetworkForWhichThereIsNoRoomIsRefusedInWords(t *testing.T) {
	r := ready(t, nil)
	err := r.store.Update(func(s *config.Settings) error {
		for i := range config.MaxNetworks {
			s.Wifi = append(s.Wifi, config.Network{SSID: fmt.Sprint("Network ", i)})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	r.refuses("/setup/wifi/add", url.Values{"ssid": {"One more"}, "region": {"DE"}}, http.StatusConflict, "32 networks are known, and no more fit: forget one first.")
	res, _ := r.post("/setup/wifi/add", url.Values{"ssid": {"Network 7"}}) // it is there already
	r.leadsTo(res, "/setup/wifi")
}

func TestNetworkIsSaidToBeJoinedOnlyWhereThereIsARadio(t *testing.T) {
	for radio, want := range map[web.Wifi]bool{nil: false, fakeWifi{}: true} {
		r := ready(t, func(c *web.Config) { c.Wifi = radio })
		res, _ := r.post("/setup/wifi/add", url.Values{"ssid": {"Home"}})
		r.leadsTo(res, "/setup/wifi")
		page := r.get("/setup/wifi")
		r.says(page, http.StatusOK, "Saved.")
		if got := strings.Contains(page.body, "joins it now"); got != want {
			t.Errorf("a radio %v, joins it now: %v", radio != nil, got)
		}
	}
}

func TestSetUpNamesAnAdapterThatWasPulledOutAndWhoIsLetInByAddress(t *testing.T) {
	r, _, _, _ := equipped(t)
	err := r.store.Update(func(s *config.Settings) error {
		s.Serial.Port, s.Pairing.Allow = "/dev/ttyACM9", []string{"192.168.1.64"}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if shown := inForms(r.get("/setup/serial").body)["port"]; len(shown) != 1 || shown[0] != "/dev/ttyACM9" {
		t.Errorf("the page has %q chosen", shown)
	}
	r.says(r.get("/setup"), http.StatusOK, "/dev/ttyACM9, 38400 bits a second", "by address, without a code")
}

package web_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/web"
)

// saving are the forms that change settings, each filled in so that it would be taken.
var saving = map[string]url.Values{
	"/welcome":           {"password": {password}, "again": {password}},
	"/setup/password":    {"old": {password}, "password": {"a new password"}, "again": {"a new password"}},
	"/setup/device":      {"hostname": {"living-room"}},
	"/setup/pairing":     {"code": {"WXYZ6789"}, "allow": {"10.0.0.7\nloopback"}},
	"/setup/pairing/new": nil,
	"/setup/agent":       {"name": {"codex"}},
	"/setup/serial":      {"port": {"/dev/ttyUSB7"}, "baud": {"9600"}}, // an adapter that was pulled out since
	"/setup/wifi/add":    {"ssid": {" Attic <2> "}, "psk": {"a long password"}, "region": {"DE"}},
	"/setup/wifi/first":  {"ssid": {"Second"}},
	"/setup/wifi/forget": {"ssid": {"Second"}},
}

// others are the forms that change no settings, filled in.
var others = map[string]url.Values{
	"/signin":                  {"password": {password}},
	"/signout":                 nil,
	"/erase":                   {"password": {password}},
	"/jobs/{kind}/stop":        nil,
	"/setup/restart":           nil,
	"/setup/agent/install":     {"name": {"codex"}},
	"/setup/agent/signin":      {"name": {"codex"}},
	"/setup/agent/key":         {"name": {"codex"}, "key": {"sk-secret"}},
	"/setup/workspaces/new":    {"name": {"game"}},
	"/setup/workspaces/clone":  {"url": {"https://127.0.0.1:1/game"}},
	"/setup/workspaces/delete": {"name": {"game"}},
	"/c64/run":                 {"address": {"192.168.1.70"}},
	"/c64/enable":              {"address": {"192.168.1.70"}},
	"/support/bundle":          nil,
	"/update/bundle":           nil,
	"/update/revert":           nil,
	"/update/now":              nil,
}

// breakDisk puts a folder in the place of the file that a save replaces: even root
// cannot write it.
func breakDisk(t *testing.T, dir string) (mend func()) {
	t.Helper()
	file, aside := filepath.Join(dir, "config.json"), filepath.Join(dir, "aside")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Lstat(file); err == nil {
		must(os.Rename(file, aside))
	}
	must(os.MkdirAll(filepath.Join(file, "x"), 0o755))
	return func() {
		t.Helper()
		must(os.RemoveAll(file))
		if _, err := os.Lstat(aside); err == nil {
			must(os.Rename(aside, file))
		}
	}
}

// settled are pages with every part whose settings differ from a new device's, and a
// browser that is signed in; or ones that nobody has visited yet.
func settled(t *testing.T, fresh bool) *rig {
	t.Helper()
	if fresh {
		return newRig(t, nil)
	}
	r, _, _, _ := equipped(t)
	err := r.store.Update(func(s *config.Settings) error {
		s.Pairing.Code, s.Provider = config.NewSecret("ABCD2345"), "demo"
		s.Wifi = []config.Network{{SSID: "Home", PSK: config.NewSecret("former password")}, {SSID: "Second"}}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSettingsThatCannotBeSavedSaySoOnEveryPageAndKeepWhatWasTyped(t *testing.T) {
	for path, form := range saving {
		t.Run(path, func(t *testing.T) {
			r := settled(t, path == "/welcome")
			mend := breakDisk(t, r.dir)
			r.refuses(path, form, http.StatusInternalServerError, "Nothing was changed, since the settings could not be saved: config.json is no plain file", "Mend that first, then send this again.")
			if path != "/welcome" {
				r.says(r.get("/"), http.StatusOK, "the last change of the settings was not saved: config.json is no plain file") // still signed in
			}
			mend()
			before := r.store.Settings()
			res, _ := r.post(path, form)
			if res.StatusCode != http.StatusSeeOther || reflect.DeepEqual(before, r.store.Settings()) {
				t.Errorf("with a disk it is not taken: status %d, %s", res.StatusCode, words(res.body))
			}
		})
	}
}

func TestEveryFormIsTriedWithSettingsThatCannotBeSaved(t *testing.T) {
	for _, path := range web.PostRoutes() {
		_, saves := saving[path]
		form, does := others[path]
		if saves == does {
			t.Errorf("%s is a form that must be in one of the tables saving and others", path)
		}
		if !does {
			continue
		}
		r := settled(t, false)
		mend := breakDisk(t, r.dir)
		r.post(strings.Replace(path, "{kind}", "clone", 1), form)
		if p := r.store.State().Problems; len(p) > 0 {
			t.Errorf("%s is among the forms that change no settings, and did: %v", path, p)
		}
		mend()
	}
	for path := range saving {
		if !slices.Contains(web.PostRoutes(), path) {
			t.Errorf("there is no form %s", path)
		}
	}
}

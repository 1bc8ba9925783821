package web_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/config"
)

// lost makes pages of a device whose settings were damaged.
func lost(t *testing.T, boot config.Boot) *rig {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte("{ torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	store := config.Open(config.Options{Dir: dir, Boot: boot})
	if store.State().Source != config.Lost {
		t.Fatalf("source %v", store.State().Source)
	}
	return rigOn(t, store, nil)
}

// paths are pages and forms of every kind, those of the first visit aside.
var (
	readPaths = []string{"/", "/setup", "/c64", "/update", "/more", "/signin"}
	sendPaths = []string{"/signin", "/signout", "/setup/pairing", "/setup/password"}
)

func TestUntilThereIsAPasswordOnlyWelcomeAnswers(t *testing.T) {
	r := newRig(t, nil)
	for _, path := range readPaths {
		r.leadsTo(r.get(path), "/welcome")
	}
	for _, path := range []string{"/signin", "/signout"} {
		res, _ := r.post(path, url.Values{"password": {password}})
		r.says(res, http.StatusForbidden, "Set a password first")
	}
	r.says(r.get("/welcome"), http.StatusOK, "Choose a password")
}

func TestFirstPasswordIsSetFromTheLocalNetworkOnly(t *testing.T) {
	for from, local := range map[string]bool{
		"127.0.0.1:9": true, "[::1]:9": true, "10.1.2.3:9": true, "192.168.178.2:9": true, "172.16.0.9:9": true,
		"169.254.7.7:9": true, "[fe80::1%eth0]:9": true, "[fd00::5]:9": true, "[::ffff:10.0.0.1]:9": true,
		"8.8.8.8:9": false, "[2001:db8::1]:9": false, "172.32.0.1:9": false, "[::ffff:8.8.8.8]:9": false,
		"not an address": false,
	} {
		r := newRig(t, nil)
		token := r.token()
		r.from = from
		status := http.StatusOK
		if !local {
			status = http.StatusForbidden
		}
		if res := r.get("/welcome"); res.StatusCode != status {
			t.Errorf("%s: status %d", from, res.StatusCode)
		}
		form := url.Values{"token": {token}, "password": {password}, "again": {password}}
		req := r.request("POST", "/welcome", strings.NewReader(form.Encode()))
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.send(req)
		if set := !r.store.Settings().Password.Empty(); set != local {
			t.Errorf("%s: a password was set: %v", from, set)
		}
	}
}

func TestFirstVisitorIsSignedInAndTheSecondIsNot(t *testing.T) {
	r := newRig(t, nil)
	second := rigOn(t, r.store, nil)
	second.site = r.site
	late := second.form("/welcome", url.Values{"password": {"another one"}, "again": {"another one"}})
	res, _ := r.post("/welcome", url.Values{"password": {password}, "again": {password}})
	r.leadsTo(res, "/setup")
	r.says(r.get("/setup"), http.StatusOK, "The password is set")
	second.send(late)
	if !r.store.Settings().Password.Matches(password) {
		t.Error("the second visitor replaced the password")
	}
	second.leadsTo(second.get("/setup"), "/signin")
	r.leadsTo(r.get("/welcome"), "/")
}

func TestFirstPasswordErrorsStandBesideTheirFields(t *testing.T) {
	r := newRig(t, nil)
	res, _ := r.post("/welcome", url.Values{"password": {"short"}, "again": {"short"}})
	r.says(res, http.StatusUnprocessableEntity, "8 to 128 characters")
	res, _ = r.post("/welcome", url.Values{"password": {password}, "again": {password + "x"}})
	r.says(res, http.StatusUnprocessableEntity, "not the same")
	if strings.Contains(res.body, password) {
		t.Error("the page repeats the password")
	}
}

func TestLostSettingsShowStateAndNothingElse(t *testing.T) {
	r := lost(t, config.BootFolder(t.TempDir()))
	res := r.get("/")
	r.says(res, http.StatusOK, "SETTINGS LOST", "prompt64-reset", "C64s connected 2")
	for _, never := range []string{"<form", "/setup", "/signin"} {
		if strings.Contains(res.body, never) {
			t.Errorf("the page holds %q", never)
		}
	}
	for _, path := range append(readPaths[1:], "/welcome") {
		r.leadsTo(r.get(path), "/")
	}
	for _, path := range append(sendPaths, "/welcome") {
		req := r.request("POST", path, strings.NewReader("password="+password))
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if res := r.send(req); res.StatusCode != http.StatusForbidden && res.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d", path, res.StatusCode)
		}
	}
	if res := r.get("/prompt64.prg"); res.StatusCode != http.StatusOK {
		t.Errorf("the program: status %d", res.StatusCode)
	}
}

func TestWayBackFitsTheMachine(t *testing.T) {
	for _, card := range []config.Boot{nil, config.BootFolder(t.TempDir())} {
		known := rigOn(t, config.Open(config.Options{Dir: t.TempDir(), Boot: card}), nil)
		known.setPassword()
		for at, body := range map[string]string{"lost": lost(t, card).get("/").body, "forgotten": known.get("/signin").body} {
			onCard, onComputer := strings.Contains(body, "prompt64-reset"), strings.Contains(strings.ToLower(body), "names begin")
			if onCard != (card != nil) || onComputer == onCard {
				t.Errorf("%s, card %v: %s", at, card, body)
			}
		}
	}
}

func TestOfThePagesAStrangerSeesTheSignInOnly(t *testing.T) {
	r := newRig(t, nil)
	r.setPassword()
	for _, path := range readPaths {
		if path != "/signin" {
			r.leadsTo(r.get(path), "/signin")
		}
	}
	r.says(r.get("/signin"), http.StatusOK, "Password")
	res, _ := r.post("/signout", nil)
	r.says(res, http.StatusForbidden, "signed out")
}

func TestFirstVisitorIsToldThatTheCardsSettingsWereRefused(t *testing.T) {
	card := config.BootFolder(t.TempDir())
	if err := card.WriteFile("prompt64.json", []byte(`{"version":1,"wifi":[{"ssid":"home","psk":"seven77"}]}`)); err != nil {
		t.Fatal(err)
	}
	r := rigOn(t, config.Open(config.Options{Dir: t.TempDir(), Boot: card}), nil)
	r.says(r.get("/welcome"), http.StatusOK, "Choose a password", "prompt64.json", "wifi[0].psk")
	r.setPassword()
	r.signIn()
	r.says(r.get("/"), http.StatusOK, "prompt64.json", "wifi[0].psk")
}

// A summary must be the first thing of its details, or a browser puts the word Details
// there and hides what it is about.
func TestWayBackIsCalledByItsName(t *testing.T) {
	r := newRig(t, nil)
	r.setPassword()
	body := r.get("/signin").body
	if n := strings.Count(body, "<details>"); n == 0 || n != strings.Count(body, "<details><summary>") || n != strings.Count(body, "</details>") {
		t.Errorf("the details of the sign-in are not in order: %s", body)
	}
}

package web_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/web"
	"github.com/prompt64/prompt64/c64prg/d64"
)

func TestHomeTellsTheBridgesState(t *testing.T) {
	r := ready(t, nil)
	res := r.get("/")
	r.says(res, http.StatusOK, "demo <1>", "C64s connected 2", "C64s expected back 3")
	if strings.Contains(res.body, "demo <1>") {
		t.Error("a text of the agent went into the page as it is")
	}
}

func TestProgramDialsTheAddressThatTheBrowserUsed(t *testing.T) {
	r := newRig(t, nil)
	for host, want := range map[string]string{
		"192.168.1.20:8064": "192.168.1.20",
		"prompt64.local":    "prompt64.local",
		"prompt64.local:80": "prompt64.local",
		"Pi:8064":           "Pi",
	} {
		r.host = host
		res := r.get("/prompt64.prg")
		if res.StatusCode != http.StatusOK || res.body != "PRG for "+want+" code " {
			t.Errorf("%s: status %d, %q", host, res.StatusCode, res.body)
		}
		if d := res.Header.Get("Content-Disposition"); d != `attachment; filename="prompt64.prg"` {
			t.Errorf("%s: disposition %q", host, d)
		}
	}
}

func TestDiskHoldsTheSameProgram(t *testing.T) {
	r := newRig(t, nil)
	res := r.get("/prompt64.d64")
	want, err := d64.Prompt64([]byte("PRG for 192.168.1.20 code "))
	if err != nil {
		t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK || res.body != string(want) {
		t.Errorf("status %d, %d bytes", res.StatusCode, len(res.body))
	}
	if d := res.Header.Get("Content-Disposition"); d != `attachment; filename="prompt64.d64"` {
		t.Errorf("disposition %q", d)
	}
}

func TestProgramCarriesThePairingCodeOnlyForWhoIsSignedIn(t *testing.T) {
	r := ready(t, nil)
	if err := r.store.Update(func(s *config.Settings) error { s.Pairing.Code = config.NewSecret("ABCD2345"); return nil }); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/prompt64.prg", "/prompt64.d64"} {
		if !strings.Contains(r.get(path).body, "ABCD2345") {
			t.Errorf("%s: no code for the owner", path)
		}
		stranger := rigOn(t, r.store, nil)
		if res := stranger.get(path); res.StatusCode != http.StatusOK || strings.Contains(res.body, "ABCD2345") {
			t.Errorf("%s: a stranger got status %d, or the code", path, res.StatusCode)
		}
	}
}

func TestHostThatAC64CannotDialIsRefusedInWords(t *testing.T) {
	r := newRig(t, func(c *web.Config) {
		c.Program = func(web.Program) ([]byte, error) { t.Error("a program was made"); return nil, nil }
	})
	for _, host := range []string{"[::1]:8064", "[fe80::1]"} {
		for _, path := range []string{"/prompt64.prg", "/prompt64.d64"} {
			r.host = host
			r.says(r.get(path), http.StatusBadRequest, "IPv4")
		}
	}
}

func TestFailuresAreToldWithoutDetails(t *testing.T) {
	r := newRig(t, func(c *web.Config) {
		c.Program = func(web.Program) ([]byte, error) { return nil, errors.New("inner secret") }
		c.Health = func() error { return errors.New("inner secret") }
		c.State = func() web.State { panic("inner secret") }
	})
	r.setPassword()
	r.signIn()
	for path, status := range map[string]int{"/prompt64.prg": 500, "/prompt64.d64": 500, "/healthz": 503, "/": 500} {
		if res := r.get(path); res.StatusCode != status || strings.Contains(res.body, "secret") {
			t.Errorf("%s: status %d, %q", path, res.StatusCode, words(res.body))
		}
	}
}

func TestHealthCheckAnswersInEveryMode(t *testing.T) {
	for _, r := range []*rig{newRig(t, nil), ready(t, nil), lost(t, nil)} {
		if res := r.get("/healthz"); res.StatusCode != 200 || res.body != "ok\n" {
			t.Errorf("status %d, %q", res.StatusCode, res.body)
		}
	}
}

func TestOnlyReadingAndFormsAreServed(t *testing.T) {
	r := ready(t, nil)
	for _, method := range []string{"PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"} {
		if res := r.send(r.request(method, "/", nil)); res.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("%s: status %d", method, res.StatusCode)
		}
	}
	if res := r.send(r.request("HEAD", "/", nil)); res.StatusCode != http.StatusOK || res.body != "" {
		t.Errorf("HEAD: status %d, %d bytes", res.StatusCode, len(res.body))
	}
	r.says(r.get("/nothing"), http.StatusNotFound, "no such page")
}

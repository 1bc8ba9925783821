package web_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/web"
	"github.com/prompt64/prompt64/c64prg/d64"
)

func handler(change func(*web.Config)) http.Handler {
	cfg := web.Config{
		State:   func() web.State { return web.State{Provider: "demo <1>", Attached: 2, Detached: 3, Waiting: 4} },
		Program: func(host string) ([]byte, error) { return []byte("PRG for " + host), nil },
	}
	if change != nil {
		change(&cfg)
	}
	return web.NewHandler(cfg)
}

func request(t *testing.T, h http.Handler, method, host, path string) (*http.Response, string) {
	t.Helper()
	r := httptest.NewRequest(method, path, nil)
	r.Host = host
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	res := w.Result()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(body)
}

func TestPageTellsTheBridgesState(t *testing.T) {
	res, body := request(t, handler(nil), "GET", "pi:8064", "/")
	if res.StatusCode != http.StatusOK {
		t.Fatalf("status %d", res.StatusCode)
	}
	for _, want := range []string{"demo &lt;1&gt;", "<td>2</td>", "<td>3</td>", "<td>4</td>", `href="/prompt64.prg"`, `href="/prompt64.d64"`} {
		if !strings.Contains(body, want) {
			t.Errorf("page lacks %q", want)
		}
	}
}

func TestProgramDialsTheAddressThatTheBrowserUsed(t *testing.T) {
	for host, want := range map[string]string{
		"192.168.1.20:8064": "192.168.1.20",
		"prompt64.local":    "prompt64.local",
		"prompt64.local:80": "prompt64.local",
		"Pi:8064":           "Pi",
	} {
		res, body := request(t, handler(nil), "GET", host, "/prompt64.prg")
		if res.StatusCode != http.StatusOK || body != "PRG for "+want {
			t.Errorf("%s: status %d, %q", host, res.StatusCode, body)
		}
		if d := res.Header.Get("Content-Disposition"); !strings.Contains(d, "prompt64.prg") {
			t.Errorf("%s: disposition %q", host, d)
		}
	}
}

func TestDiskHoldsTheSameProgram(t *testing.T) {
	res, body := request(t, handler(nil), "GET", "pi:8064", "/prompt64.d64")
	want, err := d64.Prompt64([]byte("PRG for pi"))
	if err != nil {
		t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK || body != string(want) || !strings.Contains(body, "PRG for pi") {
		t.Errorf("status %d, %d bytes", res.StatusCode, len(body))
	}
	if d := res.Header.Get("Content-Disposition"); !strings.Contains(d, "prompt64.d64") {
		t.Errorf("disposition %q", d)
	}
}

func TestHostThatAC64CannotDialIsRefusedInWords(t *testing.T) {
	called := false
	h := handler(func(c *web.Config) {
		c.Program = func(string) ([]byte, error) { called = true; return nil, nil }
	})
	for _, host := range []string{"[::1]:8064", "[fe80::1]", "", "a b", "evil\"host", strings.Repeat("x", 64), "300.1.1.1"} {
		for _, path := range []string{"/prompt64.prg", "/prompt64.d64"} {
			res, body := request(t, h, "GET", host, path)
			if res.StatusCode != http.StatusBadRequest || !strings.Contains(body, "IPv4") {
				t.Errorf("%q: %s: status %d, %q", host, path, res.StatusCode, body)
			}
		}
	}
	if called {
		t.Error("a program was made")
	}
}

func TestFailuresAreToldWithoutDetails(t *testing.T) {
	h := handler(func(c *web.Config) {
		c.Program = func(string) ([]byte, error) { return nil, errors.New("inner secret") }
		c.Health = func() error { return errors.New("inner secret") }
	})
	for path, status := range map[string]int{"/prompt64.prg": 500, "/prompt64.d64": 500, "/healthz": 503} {
		res, body := request(t, h, "GET", "pi", path)
		if res.StatusCode != status || strings.Contains(body, "secret") {
			t.Errorf("%s: status %d, %q", path, res.StatusCode, body)
		}
	}
}

func TestHealthCheckAnswersOK(t *testing.T) {
	if res, body := request(t, handler(nil), "GET", "pi", "/healthz"); res.StatusCode != 200 || body != "ok\n" {
		t.Errorf("status %d, %q", res.StatusCode, body)
	}
}

func TestOnlyReadingIsServed(t *testing.T) {
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS", "TRACE"} {
		if res, _ := request(t, handler(nil), method, "pi", "/"); res.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("%s: status %d", method, res.StatusCode)
		}
	}
	if res, _ := request(t, handler(nil), "HEAD", "pi", "/"); res.StatusCode != http.StatusOK {
		t.Errorf("HEAD: status %d", res.StatusCode)
	}
	if res, _ := request(t, handler(nil), "GET", "pi", "/../etc/passwd"); res.StatusCode == http.StatusOK {
		t.Errorf("unknown path: status %d", res.StatusCode)
	}
}

func TestEveryAnswerHasTheSecurityHeaders(t *testing.T) {
	for _, path := range []string{"/", "/page.css", "/prompt64.prg", "/prompt64.d64", "/healthz", "/nothing"} {
		res, _ := request(t, handler(nil), "GET", "pi", path)
		for _, name := range []string{"Content-Security-Policy", "X-Content-Type-Options", "X-Frame-Options", "Referrer-Policy"} {
			if res.Header.Get(name) == "" {
				t.Errorf("%s: no %s", path, name)
			}
		}
	}
}

func TestServerWaitsForNobodyForEver(t *testing.T) {
	s := web.NewServer(web.Config{})
	if s.ReadHeaderTimeout == 0 || s.ReadTimeout == 0 || s.WriteTimeout == 0 || s.IdleTimeout == 0 || s.MaxHeaderBytes == 0 {
		t.Errorf("a limit is missing: %+v", s)
	}
}

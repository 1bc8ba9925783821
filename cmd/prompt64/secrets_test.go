package main

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/leaks"
	"github.com/prompt64/prompt64/frames/framestest"
)

// The secrets that are planted everywhere.
const (
	plantedCode     = "KWJX7P3M"
	plantedPSK      = `attic "mouse" & 42%`
	plantedLater    = "cellar-rat-4711"
	plantedPassword = "open sesame, mouse"
	plantedKey      = "plantedkeyplantedkey0123"
	plantedPrompt   = "the planted thing that somebody said"
)

// written is a log's writer that can be read at any time.
type written struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (w *written) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.buf.Write(b)
}

func (w *written) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.buf.String()
}

// plant fills a data folder with secrets.
func plant(t *testing.T, data string) {
	t.Helper()
	for name, text := range map[string]string{
		"config.json": fmt.Sprintf(`{"version": 1, "password": %q, "pairing": {"code": %q, "allow": ["loopback"]}, "wifi": [{"ssid": "loft", "psk": %q}]}`,
			plantedPassword, plantedCode, plantedPSK),
		"codex/auth.json": fmt.Sprintf(`{"OPENAI_API_KEY": null, "tokens": {"access_token": %q}}`, plantedKey),
		"goroutines.txt":  "somebody wrote " + plantedKey,
		"guard.json":      `{"entries": [{"reason": "` + plantedCode + `"}]}`,
		"logs/crash.txt":  "panic: " + plantedPSK,
	} {
		path := filepath.Join(data, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// chatter logs the secrets as careless code would.
func chatter(log *slog.Logger) {
	for _, secret := range []string{plantedCode, plantedPSK, plantedKey, plantedLater} {
		log.Error("plain " + secret)
		log.Error("wrapped", "err", fmt.Errorf("join %q: %w", "loft", errors.New("no luck with "+secret)))
		log.Warn("quoted", "err", fmt.Sprintf("bad key %q", secret), "url", "http://x/?q="+url.QueryEscape(secret))
		log.Info("grouped", slog.Group("g", "bytes", []byte(secret), "settings", map[string]string{"x": secret}))
	}
	log.Info("header", "h", http.Header{"Authorization": {"Bearer something-else-entirely"}})
}

// browser signs in and fetches pages.
type browser struct {
	t      *testing.T
	client *http.Client
	web    string
}

var tokenOnPage = regexp.MustCompile(`name="token" value="([^"]*)"`)

func (b *browser) get(path string) string {
	b.t.Helper()
	res, err := b.client.Get(b.web + path)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.body(path, res)
}

func (b *browser) post(path string, values url.Values) string {
	b.t.Helper()
	from := path
	if path == "/support/bundle" {
		from = "/support"
	}
	token := tokenOnPage.FindStringSubmatch(b.get(from))
	if token == nil {
		b.t.Fatalf("%s has no form", from)
	}
	values.Set("token", token[1])
	res, err := b.client.PostForm(b.web+path, values)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.body(path, res)
}

func (b *browser) body(path string, res *http.Response) string {
	b.t.Helper()
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		b.t.Fatalf("%s: %s, %v: %s", path, res.Status, err, body)
	}
	return string(body)
}

// unzipped is everything in a bundle.
func unzipped(t *testing.T, data string) string {
	t.Helper()
	z, err := zip.NewReader(strings.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&all, "--- %s ---\n%s\n", f.Name, text)
	}
	return all.String()
}

// holdsNone looks for secrets in any shape that a reader would know again.
func holdsNone(t *testing.T, where, text string, secrets ...string) {
	t.Helper()
	for _, s := range secrets {
		for _, shape := range []string{s, strings.ReplaceAll(s, `"`, `\"`), url.QueryEscape(s), url.PathEscape(s),
			strings.NewReplacer(`"`, "&#34;", "&", "&amp;").Replace(s), fmt.Sprint([]byte(s))} {
			if at := strings.Index(text, shape); at >= 0 {
				t.Errorf("%s holds %q: ...%s", where, s, text[max(0, at-60):min(len(text), at+len(shape)+20)])
			}
		}
	}
}

func TestSecretsStandNeitherInLogsNorOnPagesNorInBundles(t *testing.T) {
	defer leaks.None(t)
	o := testOptions(t)
	plant(t, o.data)
	var out written
	o.kept = newKeptLog(&out)
	log := slog.New(o.kept.Handler(slog.LevelDebug))
	a, err := startApp(t.Context(), o, log)
	if err != nil {
		t.Fatal(err)
	}
	ended := sync.OnceFunc(func() {
		if err := a.close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	defer ended()
	c := framestest.New(framestest.Config{Dial: func(ctx context.Context) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "tcp", a.bridgeAddr().String())
	}})
	defer c.Close()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for _, err := range []error{c.Connect(ctx), c.Prompt(plantedPrompt + " and " + plantedCode), c.WaitText(ctx, 1)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	b := &browser{t, &http.Client{Jar: jar, Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}, "http://" + a.webAddr().String()}
	b.post("/signin", url.Values{"password": {plantedPassword}})
	if err := a.settings.Update(func(s *config.Settings) error {
		s.Wifi = append(s.Wifi, config.Network{SSID: "cellar", PSK: config.NewSecret(plantedLater)})
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for end := 0; a.options.kept.redact.Clean(plantedLater) == plantedLater; end++ { // until the change has come round
		if ctx.Err() != nil {
			t.Fatal("the log does not learn of the new secret")
		}
		b.get("/healthz")
	}
	chatter(a.log)

	everywhere := []string{plantedPSK, plantedLater, plantedPassword, plantedKey}
	for _, path := range []string{"/", "/setup", "/setup/wifi", "/setup/device", "/setup/agent", "/setup/workspaces", "/more", "/logs", "/logs/text", "/support", "/session", "/session/1", "/update"} {
		holdsNone(t, path, b.get(path), everywhere...)
	}
	for _, path := range []string{"/", "/setup", "/logs", "/logs/text", "/support"} { // elsewhere the owner asks for it, or somebody said it
		holdsNone(t, path, b.get(path), plantedCode)
	}
	small := unzipped(t, b.post("/support/bundle", url.Values{}))
	full := unzipped(t, b.post("/support/bundle", url.Values{"transcripts": {"yes"}}))
	for where, text := range map[string]string{"a bundle": small, "a bundle with transcripts": full, "the log": out.String()} {
		holdsNone(t, where, text, append(everywhere, plantedCode)...)
		if !strings.Contains(text, "[hidden]") {
			t.Errorf("%s hides nothing:\n%s", where, text)
		}
	}
	holdsNone(t, "a bundle without transcripts", small, plantedPrompt)
	holdsNone(t, "the log", out.String(), plantedPrompt)
	if !strings.Contains(full, plantedPrompt) {
		t.Error("a bundle with transcripts lacks what was said")
	}
	for _, want := range []string{"version.txt", "health.txt", "settings.json", "parts.json", "leases.json", "goroutines.txt", "log.txt", "guard.json", "kept/crash.txt", `"SSID": "loft"`, "goroutine 1 "} {
		if !strings.Contains(small, want) && !strings.Contains(strings.ToLower(small), strings.ToLower(want)) {
			t.Errorf("a bundle lacks %s", want)
		}
	}
	ended()
	holdsNone(t, "the log to its end", out.String(), append(everywhere, plantedCode)...)
}

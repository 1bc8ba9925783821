package web_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/support"
	"github.com/prompt64/prompt64/appliance/web"
)

// comesAbout waits until something is so.
func comesAbout(t *testing.T, so func() bool) {
	t.Helper()
	for end := time.Now().Add(liveTime); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it does not come about")
		}
	}
}

// logRig is pages with a log.
func logRig(t *testing.T) (*rig, *slog.Logger) {
	t.Helper()
	l := support.NewLog(io.Discard, &support.Redactor{})
	log := slog.New(l.Handler(slog.LevelDebug))
	return ready(t, func(c *web.Config) { c.Logs = l }), log
}

func TestLogIsShownByItsLevel(t *testing.T) {
	r, log := logRig(t)
	log.Debug("a small thing")
	log.Info("a thing <b>")
	log.Warn("a trouble")
	log.Error("a disaster")
	for query, shown := range map[string]int{"": 4, "?level=info": 3, "?level=warn": 2, "?level=error": 1, "?level=x": 4} {
		body := r.get("/logs" + query).body
		if n := strings.Count(body, "<time>"); n != shown {
			t.Errorf("%q: %d lines: %s", query, n, body)
		}
		file := r.get("/logs/text" + query)
		if n := strings.Count(file.body, "\n"); n != shown || !strings.Contains(file.Header.Get("Content-Disposition"), "prompt64-log.txt") {
			t.Errorf("file %q: %d lines", query, n)
		}
	}
	if body := r.get("/logs").body; strings.Contains(body, "thing <b>") || !strings.Contains(body, "thing &lt;b&gt;") {
		t.Errorf("page: %s", body)
	}
}

func TestLogGoesOnByItself(t *testing.T) {
	r, log := logRig(t)
	log.Info("before")
	body := r.get("/logs?level=warn").body
	_, rest, _ := strings.Cut(body, `data-stream="`)
	path, _, _ := strings.Cut(rest, `"`)
	e := r.follow(strings.ReplaceAll(path, "&amp;", "&"), "")
	log.Info("not this")
	log.Warn("but this")
	var line struct{ Time, Kind, Text string }
	if name := e.next(&line); name != "line" || line.Kind != "warn" || line.Text != `msg="but this"` || line.Time == "" {
		t.Errorf("event %q: %+v", name, line)
	}
	e.stop()
	log.Error("while away")
	again := r.follow("/logs/events?level=warn", e.last)
	if name := again.next(&line); name != "line" || line.Kind != "fail" || line.Text != `msg="while away"` {
		t.Errorf("event %q: %+v", name, line)
	}
}

func TestStreamsEndWithTheServer(t *testing.T) {
	r, _ := logRig(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- r.site.Serve(ctx, l) }()
	req, err := http.NewRequestWithContext(t.Context(), "GET", "http://"+l.Addr().String()+"/logs/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.AddCookie(&http.Cookie{Name: "prompt64", Value: r.cookie})
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	stop()
	if _, err := io.ReadAll(res.Body); err != nil {
		t.Errorf("the stream was cut, not ended: %v", err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestStreamOfABrowserThatIsSignedOutEnds(t *testing.T) {
	r, log := logRig(t)
	e := r.follow("/logs/events", "")
	cookie := r.cookie
	r.post("/signout", nil)
	if r.cookie == cookie {
		t.Fatal("still signed in")
	}
	log.Info("not for everybody")
	var words string
	if name := e.next(&words); name != "over" || !strings.Contains(words, "signed out") {
		t.Errorf("event %q: %q", name, words)
	}
}

func TestBundleIsMadeAsTheOwnerTicks(t *testing.T) {
	var asked []bool
	fail := false
	r := ready(t, func(c *web.Config) {
		c.Bundle = func(ctx context.Context, w io.Writer, transcripts bool) error {
			asked = append(asked, transcripts)
			if _, ok := ctx.Deadline(); !ok {
				t.Error("there is no deadline")
			}
			if fail {
				return errors.New("the card is full")
			}
			return support.Bundle(ctx, w, &support.Redactor{}, time.Now(), nil)
		}
	})
	if body := r.get("/support").body; !strings.Contains(body, `name="transcripts"`) || strings.Contains(body, "checked") {
		t.Errorf("page: %s", body)
	}
	for _, values := range []url.Values{nil, {"transcripts": {"yes"}}} {
		res := r.send(r.form("/support/bundle", values))
		if res.StatusCode != http.StatusOK || res.Header.Get("Content-Disposition") != `attachment; filename="prompt64-support.zip"` {
			t.Errorf("%v: %d %v", values, res.StatusCode, res.Header)
		}
		if _, err := zip.NewReader(bytes.NewReader([]byte(res.body)), int64(len(res.body))); err != nil {
			t.Error(err)
		}
	}
	if len(asked) != 2 || asked[0] || !asked[1] {
		t.Errorf("asked: %v", asked)
	}
	fail = true
	if res := r.send(r.form("/support/bundle", nil)); res.StatusCode != http.StatusInternalServerError || !strings.Contains(res.body, "card is full") {
		t.Errorf("failure: %d %s", res.StatusCode, res.body)
	}
}

func TestPagesSayWhatThisBridgeDoesNotHave(t *testing.T) {
	r := ready(t, nil)
	for path, words := range map[string]string{"/logs": "keeps no log", "/support": "makes no support bundles", "/session": "Nobody talks"} {
		if res := r.get(path); res.StatusCode != http.StatusOK || !strings.Contains(res.body, words) {
			t.Errorf("%s: %d", path, res.StatusCode)
		}
	}
	for _, path := range []string{"/logs/events", "/logs/text"} {
		if res := r.get(path); res.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", path, res.StatusCode)
		}
	}
}

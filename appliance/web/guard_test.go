package web_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/prompt64/prompt64/appliance/support"
	"github.com/prompt64/prompt64/appliance/web"
)

// reported makes pages whose own log a test can read.
func reported(t *testing.T, change func(*web.Config)) (r *rig, logged func() string) {
	t.Helper()
	l := support.NewLog(io.Discard, &support.Redactor{})
	r = ready(t, func(c *web.Config) {
		c.Log = slog.New(l.Handler(slog.LevelDebug))
		if change != nil {
			change(c)
		}
	})
	return r, func() string {
		text, err := support.LogPart(l).Make(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
}

// breaking is a log that breaks when it is read for the second time.
type breaking struct {
	with  any
	reads int
}

func (b *breaking) Lines(uint64, slog.Level) ([]support.Line, uint64, uint64) {
	if b.reads++; b.reads > 1 {
		panic(b.with)
	}
	return []support.Line{{N: 1, Text: "level=INFO msg=first"}}, 1, 0
}

func (b *breaking) Wait(context.Context, uint64) error { return nil }

func TestFormThatIsCutIsSaidToBeAndChangesNothing(t *testing.T) {
	r := ready(t, nil)
	for name, sent := range map[string]string{"before anything": "", "within the token": "token=abc", "behind the token": "token=" + r.token() + "&more=x"} {
		res := r.ask(r.serve(), r.head("POST /signout", "Content-Type: application/x-www-form-urlencoded", "Content-Length: 500")+sent)
		if res.StatusCode != http.StatusBadRequest || !strings.Contains(words(res.body), "did not arrive whole. Go back and send it again") {
			t.Errorf("%s: %d %s", name, res.StatusCode, words(res.body))
		}
	}
	r.says(r.get("/more"), http.StatusOK, "Sign out")
}

func TestFormThatIsNoneIsRefusedInWords(t *testing.T) {
	r := ready(t, nil)
	for _, body := range []string{"token=%zz", "a;b", "token=" + r.token() + "&%"} {
		req := r.request("POST", "/signout", strings.NewReader(body))
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.says(r.send(req), http.StatusBadRequest, "did not arrive whole")
	}
	r.says(r.get("/more"), http.StatusOK, "Sign out")
}

func TestPageThatBreaksSaysSoIsLoggedAndHurtsNoOther(t *testing.T) {
	var broken atomic.Bool
	broken.Store(true)
	r, logged := reported(t, func(c *web.Config) {
		c.State = func() web.State {
			if broken.Load() {
				panic("out of <order>")
			}
			return web.State{}
		}
	})
	at := r.serve()
	res := r.ask(at, r.head("GET /"))
	if res.StatusCode != http.StatusInternalServerError || !strings.Contains(res.body, "This page failed. The log says why") || strings.Contains(res.body, "order") {
		t.Errorf("status %d: %s", res.StatusCode, res.body)
	}
	if res.Header.Get("Content-Security-Policy") == "" || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/plain") {
		t.Errorf("headers %v", res.Header)
	}
	for _, want := range []string{"a page failed", "path=/", "out of <order>", "guard_test.go"} {
		if !strings.Contains(logged(), want) {
			t.Errorf("the log does not say %q: %s", want, logged())
		}
	}
	r.says(r.ask(at, r.head("GET /more")), http.StatusOK, "Sign out")
	broken.Store(false)
	r.says(r.ask(at, r.head("GET /")), http.StatusOK, "Home")
}

func TestAnswerThatBreaksHalfWayIsCutAndNotEnded(t *testing.T) {
	for name, c := range map[string]struct {
		with   any
		logged bool
	}{"a fault": {errors.New("no more lines"), true}, "given up on purpose": {http.ErrAbortHandler, false}} {
		t.Run(name, func(t *testing.T) {
			r, logged := reported(t, func(cfg *web.Config) { cfg.Logs = &breaking{with: c.with} })
			at := r.serve()
			e := r.followAt(at, "/logs/events")
			rest, err := io.ReadAll(e.Body)
			if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(string(rest), "msg=first") || strings.Contains(string(rest), "failed") {
				t.Errorf("it ended with %v behind %q", err, rest)
			}
			if got := strings.Contains(logged(), "a page failed"); got != c.logged {
				t.Errorf("logged: %s", logged())
			}
			r.says(r.ask(at, r.head("GET /more")), http.StatusOK, "Sign out")
		})
	}
}

// followAt opens a stream at a server.
func (r *rig) followAt(at, path string) *http.Response {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), "GET", at+path, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	req.AddCookie(&http.Cookie{Name: "prompt64", Value: r.cookie})
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = res.Body.Close() })
	return res
}

func TestNoRequestIsAnsweredWithoutTheGuard(t *testing.T) {
	r := ready(t, nil)
	at := r.serve()
	for _, request := range []string{"OPTIONS *", "OPTIONS /", "TRACE /", "CONNECT localhost:80", "PRI *", "GET *"} {
		res := r.ask(at, r.head(request))
		if res.StatusCode < 400 || res.Header.Get("Content-Security-Policy") == "" || strings.Contains(res.body, r.cookie) {
			t.Errorf("%s: %d %v %s", request, res.StatusCode, res.Header, res.body)
		}
	}
}

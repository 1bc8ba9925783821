package web_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/health"
	"github.com/prompt64/prompt64/appliance/web"
)

// failing makes pages of a device with one node that failed.
func failing(t *testing.T, n health.Node, change func(*web.Config)) *rig {
	t.Helper()
	n.State = health.Fail
	return ready(t, func(c *web.Config) {
		c.Tree = func(context.Context) health.Report { return health.Report{Nodes: []health.Node{n}} }
		if change != nil {
			change(c)
		}
	})
}

func TestHomeSaysWhatFailedAlsoWhereNobodyKnowsWhatHelps(t *testing.T) {
	for _, c := range []struct {
		node  health.Node
		words string
		path  string // of the button; empty: there is none
	}{
		{health.Node{ID: health.Wifi, Name: "Wi-Fi", Detail: "wrong password", Hint: "enter it again"}, "?Wi-Fi error Enter it again. Mend it", "/setup/wifi"},
		{health.Node{ID: health.Serial, Name: "Serial", Detail: "the port is gone"}, "?Serial error The port is gone. Mend it", "/setup/serial"},
		{health.Node{ID: "odd", Name: "Odd", Detail: "it is odd"}, "?Odd error It is odd.", ""},
		{health.Node{ID: "odd", Name: "Odd"}, "?Odd error", ""},
	} {
		res := failing(t, c.node, nil).get("/")
		if res.StatusCode != http.StatusOK || !strings.Contains(words(res.body), c.words) {
			t.Errorf("%s: %d %s", c.words, res.StatusCode, words(res.body))
		}
		if c.path != "" && !strings.Contains(res.body, `href="`+c.path+`"`) || strings.Contains(res.body, `href=""`) {
			t.Errorf("%s: %s", c.words, res.body)
		}
	}
}

func TestHomeLeadsToErasingOnlyWhereTheDataAreDamaged(t *testing.T) {
	node := health.Node{ID: health.Data, Name: "Data", Detail: "it cannot be read"}
	for damage, want := range map[string]string{"": "Mend it", "torn": "Erase it here"} {
		r := failing(t, node, func(c *web.Config) {
			c.Damage, c.Erase = func() string { return damage }, func() error { return nil }
		})
		if page := words(r.get("/").body); strings.Contains(page, "Erase it here") != (damage != "") {
			t.Errorf("%q: no %s: %s", damage, want, page)
		}
	}
}

func TestHomeSaysThatSettingsWaitForANewStart(t *testing.T) {
	r, _, _, _ := equipped(t)
	for path, form := range map[string]map[string][]string{
		"/setup/pairing/new": nil, "/setup/agent": {"name": {"demo"}}, "/setup/workspaces/new": {"name": {"game"}},
	} {
		r.post(path, form)
	}
	cfg := r.site.Config
	cfg.Pending = func() []string { return []string{"the agent codex"} }
	r.site = web.New(cfg)
	r.says(r.get("/"), http.StatusOK, "What next? Start the bridge again, so that what you set is in force.")
	cfg.Pending, cfg.State = nil, func() web.State { return web.State{} }
	r.site = web.New(cfg)
	r.says(r.get("/"), http.StatusOK, "Ready. Load the program on your C64 and start it.")
}

func TestHealthThatCannotBeWrittenIsToldInWords(t *testing.T) {
	r := ready(t, func(c *web.Config) {
		c.Tree = func(context.Context) health.Report {
			return health.Report{Nodes: []health.Node{{ID: "odd", State: health.State(200)}}}
		}
	})
	r.from = "127.0.0.1:4000"
	r.says(r.get("/health.json"), http.StatusInternalServerError, "This did not work", "no state 200")
}

func TestHealthCheckThatFailsIsLogged(t *testing.T) {
	r, logged := reported(t, func(c *web.Config) { c.Health = func() error { return errors.New("the leases hang") } })
	if res := r.get("/healthz"); res.StatusCode != http.StatusServiceUnavailable || res.body != "not healthy\n" {
		t.Errorf("%d %q", res.StatusCode, res.body)
	}
	if !strings.Contains(logged(), "the leases hang") {
		t.Errorf("logged: %s", logged())
	}
}

func TestFileThatIsLargerThanAnyUpdateIsAnsweredAtOnce(t *testing.T) {
	u := &updates{}
	timed(t, func(c *web.Config) { c.Updates = u }, func(t *testing.T, r *rig, p *pipes) {
		for cookie, want := range map[string]string{r.cookie: "No update is that large.", "": "You are signed out."} {
			r.cookie = cookie
			c, began := p.line(t), time.Now()
			request := r.uploadHead(fmt.Sprint("Content-Length: ", 2<<30)) + multipartField("token", "x") // and no more
			go io.WriteString(c, request)
			res := lineAnswer(t, c)
			if took := time.Since(began); !strings.Contains(words(res.body), want) || !res.Close || took > time.Second {
				t.Errorf("%d %s, kept %v, after %v", res.StatusCode, words(res.body), !res.Close, took)
			}
		}
	})
	if len(u.calls) != 0 {
		t.Errorf("it did %q", u.calls)
	}
}

func TestServingThatBreaksSaysWhy(t *testing.T) {
	r, l := ready(t, nil), listenLocal(t)
	_ = l.Close()
	if err := r.site.Serve(t.Context(), l); !errors.Is(err, net.ErrClosed) {
		t.Errorf("it ends with %v", err)
	}
}

func TestSlowBrowserDoesNotHoldTheEndOfTheServer(t *testing.T) {
	begun := make(chan struct{})
	timed(t, func(c *web.Config) {
		c.State = func() web.State { close(begun); time.Sleep(time.Minute); return web.State{} }
	},
		func(t *testing.T, r *rig, p *pipes) {
			other, l := web.New(r.site.Config), newPipes()
			defer other.Close()
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- other.Serve(ctx, l) }()
			c := l.line(t)
			fmt.Fprint(c, r.head("GET /"))
			<-begun
			stop()
			at := time.Now()
			if err := <-ended; err != nil || time.Since(at) > 2*time.Second {
				t.Errorf("it ends after %v with %v", time.Since(at), err)
			}
			time.Sleep(2 * time.Minute) // for the page itself to end
		})
}

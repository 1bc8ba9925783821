package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/lease"
	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/appliance/web"
	"github.com/prompt64/prompt64/appliance/workspace"
	"github.com/prompt64/prompt64/frames"
)

// liveTime ends a test that hangs, and not one on a machine that is slow.
const liveTime = 3 * time.Minute

// link is a connection of a C64 that is always there.
type link struct{}

func (link) Addr() string         { return "10.0.0.64" }
func (link) Stale() bool          { return false }
func (link) Quiet() time.Duration { return 0 }
func (link) Kill()                {}

// talks is a table of leases with an agent moved by hand.
type talks struct {
	t     *testing.T
	table *lease.Table
	agent *providertest.Fake
	made  int
}

func newTalks(t *testing.T) *talks {
	t.Helper()
	root, err := workspace.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	k := &talks{t: t, agent: providertest.NewFake()}
	k.table = lease.NewTable(lease.Config{Provider: k.agent, Workspaces: lease.FromRoot(root)})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), liveTime)
		defer cancel()
		if err := k.table.Close(ctx); err != nil {
			t.Error(err)
		}
		_ = root.Close()
	})
	return k
}

// prompt has a new C64 say something, and returns its session.
func (k *talks) prompt(text string) (*lease.Attachment, *providertest.FakeSession) {
	k.t.Helper()
	a, err := k.table.Get(link{})
	if err != nil {
		k.t.Fatal(err)
	}
	if err := a.Request(frames.Frame{Type: frames.TypeUserText, Payload: []byte(text)}); err != nil {
		k.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(k.t.Context(), liveTime)
	defer cancel()
	k.made++
	s, err := k.agent.AwaitSession(ctx, k.made)
	if err != nil {
		k.t.Fatal(err)
	}
	for !s.Active() {
		if ctx.Err() != nil {
			k.t.Fatal("the turn does not begin")
		}
		time.Sleep(time.Millisecond)
	}
	return a, s
}

// events is a browser that follows a stream.
type events struct {
	t    *testing.T
	res  *http.Response
	read *bufio.Scanner
	stop context.CancelFunc
	last string // id of the last event
}

// follow opens a stream of the site in a real server.
func (r *rig) follow(path, lastID string) *events {
	r.t.Helper()
	server := httptest.NewServer(r.site.Handler())
	ctx, stop := context.WithTimeout(r.t.Context(), liveTime)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	r.t.Cleanup(func() {
		stop()
		server.Close()
	})
	req, err := http.NewRequestWithContext(ctx, "GET", server.URL+path, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	req.AddCookie(&http.Cookie{Name: "prompt64", Value: r.cookie})
	if lastID != "" {
		req.Header.Set("Last-Event-ID", lastID)
	}
	res, err := client.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = res.Body.Close() })
	return &events{t: r.t, res: res, read: bufio.NewScanner(res.Body), stop: stop, last: lastID}
}

// next reads one event into data; it fails at the end of the stream.
func (e *events) next(data any) (name string) {
	e.t.Helper()
	name, ok := e.try(data)
	if !ok {
		e.t.Fatalf("the stream ended: %v", e.read.Err())
	}
	return name
}

func (e *events) try(data any) (name string, ok bool) {
	e.t.Helper()
	for e.read.Scan() {
		line := e.read.Text()
		switch field, value, _ := strings.Cut(line, ": "); field {
		case "id":
			e.last = value
		case "event":
			name = value
		case "data":
			if err := json.Unmarshal([]byte(value), data); err != nil {
				e.t.Fatalf("%s: %v", line, err)
			}
		case "":
			if name != "" {
				return name, true
			}
		}
	}
	return "", false
}

// liveRig is pages with conversations, signed in.
func liveRig(t *testing.T) (*rig, *talks) {
	t.Helper()
	k := newTalks(t)
	return ready(t, func(c *web.Config) { c.Conversations = k.table }), k
}

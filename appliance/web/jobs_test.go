package web_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/prompt64/prompt64/appliance/web"
)

// installer is one agent, whose installation a test decides on.
type installer struct {
	web.Agents
	do atomic.Pointer[func(context.Context) error]
}

func (*installer) List(context.Context) []web.Agent {
	return []web.Agent{{Name: "codex", Title: "Codex", CanInstall: true}}
}

func (i *installer) Install(ctx context.Context, _ string, _ func(string, int)) error {
	return (*i.do.Load())(ctx)
}

// installing makes pages with such an agent; start begins its installation.
func installing(t *testing.T) (r *rig, logged func() string, start func(do func(context.Context) error) answer) {
	t.Helper()
	i := &installer{}
	r, logged = reported(t, func(c *web.Config) { c.Agents = i })
	t.Cleanup(r.site.Close)
	return r, logged, func(do func(context.Context) error) answer {
		t.Helper()
		i.do.Store(&do)
		res, _ := r.post("/setup/agent/install", url.Values{"name": {"codex"}})
		return res
	}
}

// jobEnds waits until the job of a kind has ended.
func (r *rig) jobEnds(kind string) {
	r.t.Helper()
	eventually(r.t, "the end of the job", func() bool { return r.get("/jobs/"+kind).Header.Get("X-Reload") != "" })
}

func TestJobThatBreaksIsToldAndLoggedAndTheNextOneRuns(t *testing.T) {
	r, logged, start := installing(t)
	r.leadsTo(start(func(context.Context) error { panic("out of <order>") }), "/setup/agent")
	r.jobEnds("agent")
	page := r.get("/setup/agent")
	r.says(page, http.StatusOK, "Installing Codex It broke; the log says how, please report it.")
	if strings.Contains(page.body, "order") {
		t.Errorf("the page tells what is for the log: %s", words(page.body))
	}
	for _, want := range []string{"a job failed", "kind=agent", "out of <order>", "jobs_test.go"} {
		if !strings.Contains(logged(), want) {
			t.Errorf("the log does not say %q: %s", want, logged())
		}
	}
	r.leadsTo(start(func(context.Context) error { return nil }), "/setup/agent")
	r.jobEnds("agent")
	r.says(r.get("/setup/agent"), http.StatusOK, "Installing Codex Done.")
}

func TestJobThatFailsSaysWhyUntilItIsClosed(t *testing.T) {
	r, _, start := installing(t)
	r.leadsTo(start(func(context.Context) error { return errors.New("the card is <full>") }), "/setup/agent")
	r.jobEnds("agent")
	r.says(r.get("/setup/agent"), http.StatusOK, "Installing Codex The card is <full>.")
	res, _ := r.post("/jobs/agent/stop", nil)
	r.leadsTo(res, "/setup/agent")
	if page := words(r.get("/setup/agent").body); strings.Contains(page, "Installing Codex") {
		t.Errorf("it is still there: %s", page)
	}
}

func TestJobThatIsStoppedSaysThatAndNotWhatItCameToByIt(t *testing.T) {
	r, _, start := installing(t)
	begun := make(chan struct{})
	r.leadsTo(start(func(ctx context.Context) error {
		close(begun)
		<-ctx.Done()
		return errors.New("signal: killed")
	}), "/setup/agent")
	<-begun
	r.says(start(nil), http.StatusConflict, "Something is under way already")
	res, _ := r.post("/jobs/agent/stop", nil)
	r.leadsTo(res, "/setup/agent")
	r.jobEnds("agent")
	r.says(r.get("/setup/agent"), http.StatusOK, "Installing Codex Stopped.")
}

func TestNoJobBeginsOnceThePagesEnd(t *testing.T) {
	r, _, start := installing(t)
	begun := make(chan struct{})
	r.leadsTo(start(func(ctx context.Context) error {
		close(begun)
		<-ctx.Done()
		return context.Cause(ctx)
	}), "/setup/agent")
	<-begun
	r.site.Close() // waits for it
	r.says(r.get("/setup/agent"), http.StatusOK, "The bridge ends.")
	r.says(start(func(context.Context) error { t.Error("it began"); return nil }), http.StatusConflict)
}

func TestJobThatIsNoneIsSaidSo(t *testing.T) {
	r, _, _ := installing(t)
	if res := r.get("/jobs/nothing"); res.StatusCode != http.StatusNoContent || res.Header.Get("X-Reload") == "" {
		t.Errorf("status %d, %v", res.StatusCode, res.Header)
	}
	r.says(r.get("/jobs/nothing/qr.png"), http.StatusNotFound, "no code to enter now")
	res, _ := r.post("/jobs/nothing/stop", nil)
	r.says(res, http.StatusNotFound, "nothing like that to stop")
}

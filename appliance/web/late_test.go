package web_test

import (
	"context"
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/web"
)

// silent is an agent, a radio and Ultimates that never answer.
type silent struct{ *fakeAgents }

func wait(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

func (silent) SignInWithKey(ctx context.Context, _ string, _ config.Secret) error { return wait(ctx) }
func (silent) Line() (now, failure string)                                        { return "not joined", "" }
func (silent) Scan(ctx context.Context) ([]web.WifiNetwork, error)                { return nil, wait(ctx) }
func (silent) Find(ctx context.Context) ([]web.Ultimate, error)                   { return nil, wait(ctx) }
func (silent) Enable(ctx context.Context, _ string, _ config.Secret) error        { return wait(ctx) }
func (silent) Run(ctx context.Context, _ string, _ config.Secret, _ []byte) error { return wait(ctx) }

func TestPartThatNeverAnswersIsToldBeforeTheBrowserIsCutOff(t *testing.T) {
	ultimate := url.Values{"address": {"192.168.1.70"}, "secret": {"moon base"}}
	for _, c := range []struct {
		path   string
		form   url.Values // nil: it is a page
		status int
		want   string
	}{
		{"/setup/agent/key", url.Values{"name": {"codex"}, "key": {"sk-secret"}}, http.StatusUnprocessableEntity, "The agent did not answer in time: try again in a minute."},
		{"/setup/wifi/scan", nil, http.StatusServiceUnavailable, "The search did not work: the Wi-Fi is busy. Try again in a minute."},
		{"/c64/find", nil, http.StatusServiceUnavailable, "The search did not work: there was no answer in time. See that the Ultimate is switched on"},
		{"/c64/run", ultimate, http.StatusBadGateway, "There was no answer in time."},
		{"/c64/enable", ultimate, http.StatusBadGateway, "There was no answer in time."},
	} {
		t.Run(c.path, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := silent{&fakeAgents{}}
				r := ready(t, func(c *web.Config) { c.Agents, c.Wifi, c.Ultimates = s, s, s })
				began := time.Now()
				if c.form == nil {
					r.failed(r.get(c.path), nil, c.status, c.want)
				} else {
					r.refuses(c.path, c.form, c.status, c.want)
				}
				if took := time.Since(began); took == 0 || took > web.WriteTime-2*time.Second {
					t.Errorf("it took %v of the %v that an answer may take", took, web.WriteTime)
				}
			})
		})
	}
}

func TestCodeThatNobodyEntersExpiresInWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		agents := &fakeAgents{entered: make(chan struct{})}
		r := ready(t, func(c *web.Config) { c.Agents = agents })
		t.Cleanup(r.site.Close)
		form := url.Values{"name": {"codex"}}
		res, _ := r.post("/setup/agent/signin", form)
		r.leadsTo(res, "/setup/agent")
		synctest.Wait()
		r.says(r.get("/setup/agent"), http.StatusOK, "ABCD-EFGHI")
		r.refuses("/setup/agent/install", form, http.StatusConflict, "Something is under way already: wait for its end, or stop it.", "ABCD-EFGHI")
		time.Sleep(15 * time.Minute)
		synctest.Wait()
		r.failed(r.get("/setup/agent"), nil, http.StatusOK, "The code was not entered within 15 minutes: start again.")
		r.says(r.get("/jobs/agent/qr.png"), http.StatusNotFound, "no code to enter")
		again, _ := r.post("/setup/agent/signin", form)
		r.leadsTo(again, "/setup/agent")
	})
}

func TestSignInThatIsStoppedSaysNothingOfContexts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := ready(t, func(c *web.Config) { c.Agents = &fakeAgents{entered: make(chan struct{})} })
		t.Cleanup(r.site.Close)
		res, _ := r.post("/setup/agent/signin", url.Values{"name": {"codex"}})
		r.leadsTo(res, "/setup/agent")
		synctest.Wait()
		res, _ = r.post("/jobs/agent/stop", nil)
		r.leadsTo(res, "/setup/agent")
		synctest.Wait()
		r.failed(r.get("/setup/agent"), nil, http.StatusOK, "Stopped.")
	})
}

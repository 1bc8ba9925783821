package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/web"
)

// stillRig is pages whose clock stands still, with a password.
func stillRig(t *testing.T) *rig {
	t.Helper()
	r := newRig(t, func(c *web.Config) { c.Now = func() time.Time { return time.Unix(1e9, 0) } })
	r.setPassword()
	return r
}

// browser is another one of the same pages.
func (r *rig) browser(from string) *rig {
	return &rig{t: r.t, site: r.site, store: r.store, from: from, host: r.host}
}

// guesses tries wrong passwords until it must wait, or so often.
func (r *rig) guesses(most int) {
	r.t.Helper()
	for range most {
		if res, _ := r.post("/signin", url.Values{"password": {"wrong wrong"}}); res.StatusCode == http.StatusTooManyRequests {
			return
		}
	}
}

// mustWait reports whether even the right password is not looked at.
func (r *rig) mustWait() bool {
	r.t.Helper()
	res, _ := r.post("/signin", url.Values{"password": {password}})
	return res.StatusCode == http.StatusTooManyRequests
}

func TestBruteForceOfANeighbourDoesNotKeepTheOwnerOut(t *testing.T) {
	owner := stillRig(t)
	owner.from = "[2001:db8:0:1::10]:1"
	owner.signIn()
	owner.post("/signout", nil)
	neighbour := owner.browser("[2001:db8:0:1::66]:1")
	neighbour.guesses(20)
	if stranger := owner.browser(owner.from); !stranger.mustWait() {
		t.Error("the addresses of one IPv6 network are counted apart")
	}
	res, _ := neighbour.post("/signin", url.Values{"password": {password}})
	neighbour.says(res, http.StatusTooManyRequests, "Try again in 30 seconds", "a browser that has signed in here before need not wait")
	if owner.browser("192.168.1.10:1").mustWait() {
		t.Error("the IPv4 address does not help")
	}
	owner.signIn()
}

func TestBruteForceFromManyAddressesDoesNotKeepTheOwnerOut(t *testing.T) {
	owner := stillRig(t)
	owner.signIn()
	owner.post("/signout", nil)
	for i := range 50 {
		owner.browser(fmt.Sprintf("192.168.2.%d:1", i+1)).guesses(1)
	}
	if !owner.browser("192.168.3.1:1").mustWait() {
		t.Fatal("nobody waits")
	}
	owner.signIn()
}

func TestBruteForceFromAKnownBrowserMustWaitAsWell(t *testing.T) {
	r := stillRig(t)
	r.signIn()
	r.post("/signout", nil)
	r.guesses(20)
	res, _ := r.post("/signin", url.Values{"password": {password}})
	r.says(res, http.StatusTooManyRequests, "Try again in 30 seconds")
	if strings.Contains(res.body, "need not wait") {
		t.Error("it is told that it need not wait")
	}
	if r.browser(r.from).mustWait() {
		t.Error("others wait for it")
	}
	r.from = "192.168.5.1:1"
	if !r.mustWait() {
		t.Error("another address makes it another browser")
	}
}

func TestBruteForceFromKnownBrowsersIsNoReasonForOthersToWait(t *testing.T) {
	r := stillRig(t)
	for range 10 {
		b := r.browser(r.from)
		b.signIn()
		b.post("/signout", nil)
		b.guesses(20)
	}
	if r.browser("192.168.3.1:1").mustWait() {
		t.Error("others wait for it")
	}
}

func TestBrowserIsKnownByNothingThatItMadeUp(t *testing.T) {
	r := stillRig(t)
	r.signIn()
	name, mark, _ := strings.Cut(r.known, ".")
	for what, known := range map[string]string{
		"nothing": "", "a name": name, "no mark": name + ".", "another's mark": "other." + mark, "a mark alone": "." + mark, "a made up mark": name + ".AAAA",
	} {
		r.browser("192.168.4.1:1").guesses(20)
		b := r.browser("192.168.4.1:1")
		if b.known = known; !b.mustWait() {
			t.Errorf("%s makes a browser known", what)
		}
	}
	b := r.browser("192.168.4.1:1")
	if b.known = r.known; b.mustWait() {
		t.Error("the right one does not")
	}
}

func TestBrowserIsNotKnownAnyMoreWhenThePasswordIsSetAnew(t *testing.T) {
	r := stillRig(t)
	r.signIn()
	former := r.known
	if err := r.store.Update(func(s *config.Settings) error { return s.SetPassword(password) }); err != nil {
		t.Fatal(err)
	}
	r.browser("192.168.4.1:1").guesses(20)
	b := r.browser("192.168.4.1:1")
	if b.known = former; !b.mustWait() {
		t.Error("it is")
	}
}

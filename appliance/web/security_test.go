package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/web"
)

func TestCSRFFormWithoutTheTokenOfItsCookieChangesNothing(t *testing.T) {
	r := ready(t, nil)
	other := rigOn(t, r.store, nil)
	other.site = r.site
	other.signIn()
	for name, token := range map[string]string{"none": "", "made up": "AAAA", "of another browser": other.token()} {
		req := r.request("POST", "/signout", strings.NewReader(url.Values{"token": {token}}.Encode()))
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.says(r.send(req), http.StatusForbidden, "Nothing was changed")
		if r.get("/").StatusCode != http.StatusOK {
			t.Errorf("token %s: it was taken", name)
		}
	}
	res, _ := r.post("/signout", nil)
	r.leadsTo(res, "/signin")
}

func TestCSRFFormOfAnotherSiteIsRefusedEvenWithTheToken(t *testing.T) {
	r := ready(t, nil)
	for header, value := range map[string]string{
		"Origin": "http://evil.example", "Sec-Fetch-Site": "cross-site",
	} {
		req := r.form("/signout", nil)
		req.Header.Set(header, value)
		if res := r.send(req); res.StatusCode != http.StatusForbidden || !strings.Contains(res.body, "another site") {
			t.Errorf("%s: status %d, %q", header, res.StatusCode, res.body)
		}
	}
	for _, kind := range []string{"", "text/plain", "multipart/form-data; boundary=x", "application/json"} {
		req := r.form("/signout", nil)
		req.Header.Set("Content-Type", kind)
		if res := r.send(req); res.StatusCode != http.StatusUnsupportedMediaType {
			t.Errorf("%q: status %d", kind, res.StatusCode)
		}
	}
	if r.get("/").StatusCode != http.StatusOK {
		t.Error("one of them was taken")
	}
}

func TestCSRFSignInNeedsATokenToo(t *testing.T) {
	r := newRig(t, nil)
	r.setPassword()
	req := r.request("POST", "/signin", strings.NewReader("password="+url.QueryEscape(password)))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.says(r.send(req), http.StatusForbidden, "Nothing was changed")
}

func TestRebindingForeignHostNamesAreRefused(t *testing.T) {
	r := newRig(t, nil)
	for host, fine := range map[string]bool{
		"192.168.1.20": true, "192.168.1.20:8064": true, "[fe80::1]": true, "[::1]:80": true, "localhost:8064": true,
		"prompt64": true, "prompt64.local": true, "PROMPT64.local.": true, "pi": true, "pi.local:80": true,
		"evil.example": false, "prompt64.evil.example": false, "prompt64.local.evil.example": false, "localhost.evil.example": false,
		"": false, ".": false, ".local": false, "a b": false, "evil\"host": false, strings.Repeat("x", 64): false,
		"192.168.1.20.evil.example": false, "300.1.1.1": false, "0x7f.1": false, "prompt64:80:80": false,
	} {
		r.host = host
		for _, path := range []string{"/welcome", "/prompt64.prg", "/healthz", "/page.css"} {
			res := r.get(path)
			if refused := res.StatusCode == http.StatusMisdirectedRequest; refused == fine {
				t.Errorf("%q %s: status %d", host, path, res.StatusCode)
			}
			if !fine && (res.Header.Get("Set-Cookie") != "" || len(host) > 10 && strings.Contains(res.body, host)) {
				t.Errorf("%q %s: a foreign name got a cookie or was repeated", host, path)
			}
		}
	}
}

func TestBruteForceOfAnAddressMustWaitLongerAndLonger(t *testing.T) {
	now := time.Unix(1e9, 0)
	r := newRig(t, func(c *web.Config) { c.Now = func() time.Time { return now } })
	r.setPassword()
	for range 5 {
		res, _ := r.post("/signin", url.Values{"password": {"wrong wrong"}})
		r.says(res, http.StatusForbidden, "That is not the password")
	}
	var waits []time.Duration
	for range 4 {
		res, _ := r.post("/signin", url.Values{"password": {password}})
		r.says(res, http.StatusTooManyRequests, "Try again in")
		var seconds int
		fmt.Sscan(res.Header.Get("Retry-After"), &seconds)
		waits = append(waits, time.Duration(seconds)*time.Second)
		now = now.Add(waits[len(waits)-1])
		res, _ = r.post("/signin", url.Values{"password": {"wrong wrong"}})
		r.says(res, http.StatusForbidden, "That is not the password")
	}
	for i, w := range waits {
		if i > 0 && w < waits[i-1]*3/2 {
			t.Errorf("waits %v do not grow", waits)
		}
	}
	other := rigOn(t, r.store, nil)
	other.site, other.from = r.site, "192.168.1.99:1"
	other.signIn() // nobody else waits for it
	now = now.Add(time.Hour)
	r.signIn()
}

func TestBruteForceFromManyAddressesIsBounded(t *testing.T) {
	now := time.Unix(1e9, 0)
	r := newRig(t, func(c *web.Config) { c.Now = func() time.Time { return now } })
	r.setPassword()
	looked := 0
	for i := range 100 {
		r.from = fmt.Sprintf("192.168.2.%d:1", i+1)
		if res, _ := r.post("/signin", url.Values{"password": {"wrong wrong"}}); res.StatusCode == http.StatusForbidden {
			looked++
		}
	}
	if looked > 40 {
		t.Errorf("%d passwords were looked at", looked)
	}
	now = now.Add(11 * time.Minute)
	r.signIn()
}

func TestBruteForceAtOnceIsNotJudgedAsOne(t *testing.T) {
	r := newRig(t, nil)
	r.setPassword()
	var mu sync.Mutex
	looked := 0
	var all sync.WaitGroup
	for range 30 {
		req := r.form("/signin", url.Values{"password": {"wrong wrong"}})
		all.Go(func() {
			if (&rig{t: t, site: r.site}).send(req).StatusCode == http.StatusForbidden {
				mu.Lock()
				defer mu.Unlock()
				looked++
			}
		})
	}
	all.Wait()
	if looked > 5 {
		t.Errorf("%d passwords were looked at", looked)
	}
}

func TestCookieIsOutOfReachOfScriptsAndOtherSites(t *testing.T) {
	r := newRig(t, nil)
	r.setPassword()
	before := r.get("/signin").Cookies()
	res, _ := r.post("/signin", url.Values{"password": {password}})
	after := res.Cookies()
	if len(before) != 1 || len(after) != 2 { // the second makes the browser known
		t.Fatalf("cookies %v, then %v", before, after)
	}
	for _, c := range append(before, after...) {
		if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.Domain != "" || len(c.Value) < 40 {
			t.Errorf("cookie %v", c)
		}
	}
	if before[0].Value == after[0].Value {
		t.Error("the sign-in kept the cookie of before")
	}
	planted := rigOn(t, r.store, nil)
	planted.site, planted.cookie = r.site, before[0].Value
	planted.leadsTo(planted.get("/"), "/signin")
}

func TestCookieOfASignedOutBrowserIsWorthNothing(t *testing.T) {
	now := time.Unix(1e9, 0)
	r := newRig(t, func(c *web.Config) { c.Now = func() time.Time { return now } })
	r.setPassword()
	r.signIn()
	old := r.cookie
	r.post("/signout", nil)
	r.cookie = old
	r.leadsTo(r.get("/"), "/signin")

	r.cookie = ""
	r.signIn()
	now = now.Add(25 * time.Hour)
	r.leadsTo(r.get("/"), "/signin")
}

func TestCookiesOfManyBrowsersAreBounded(t *testing.T) {
	r := ready(t, nil)
	first := r.cookie
	for range 32 {
		r.cookie = ""
		r.signIn()
	}
	r.says(r.get("/"), http.StatusOK)
	r.cookie = first
	r.leadsTo(r.get("/"), "/signin")
}

func TestEveryAnswerHasTheSecurityHeaders(t *testing.T) {
	r := ready(t, nil)
	for _, path := range []string{"/", "/signin", "/page.css", "/page.js", "/prompt64.prg", "/healthz", "/nothing"} {
		h := r.get(path).Header
		for _, name := range []string{"X-Content-Type-Options", "X-Frame-Options", "Referrer-Policy", "Cross-Origin-Resource-Policy"} {
			if h.Get(name) == "" {
				t.Errorf("%s: no %s", path, name)
			}
		}
		policy := h.Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"} {
			if !strings.Contains(policy, part) {
				t.Errorf("%s: policy lacks %s", path, part)
			}
		}
		if strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") {
			t.Errorf("%s: policy %s", path, policy)
		}
		for name := range h {
			if strings.HasPrefix(name, "Access-Control-") {
				t.Errorf("%s: other origins are let in by %s", path, name)
			}
		}
	}
}

func TestHeaderInjectionFindsNoWayIn(t *testing.T) {
	r := ready(t, nil)
	for _, path := range []string{"/prompt64.prg?%0d%0aSet-Cookie:x=1", "/setup%0d%0aX-Evil:1", "/%0d%0aX-Evil:%201", "//evil.example/%2e%2e"} {
		res := r.get(path)
		for name, values := range res.Header {
			text := strings.Join(values, "")
			if strings.Contains(strings.ToLower(name), "evil") || strings.ContainsAny(text, "\r\n") || strings.HasPrefix(text, "//") || strings.HasPrefix(text, "http") {
				t.Errorf("%s: header %s: %q", path, name, text)
			}
		}
	}
}

func TestFormThatIsTooLargeIsRefused(t *testing.T) {
	r := ready(t, nil)
	res, _ := r.post("/signout", url.Values{"more": {strings.Repeat("x", 70<<10)}})
	r.says(res, http.StatusRequestEntityTooLarge, "more than this form takes")
}

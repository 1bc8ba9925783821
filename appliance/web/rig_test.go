package web_test

import (
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"golang.org/x/crypto/argon2"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/web"
)

const password = "correct horse"

// rig is pages with settings of their own, and a browser without a window.
type rig struct {
	t      *testing.T
	site   *web.Site
	store  *config.Store
	dir    string // of the store, where newRig made it
	from   string // the browser's address
	host   string // as it is in the address line
	cookie string
	known  string // the cookie of a browser that has signed in before
}

// newRig makes pages that nobody has visited yet.
func newRig(t *testing.T, change func(*web.Config)) *rig {
	t.Helper()
	dir := t.TempDir()
	r := rigOn(t, config.Open(config.Options{Dir: dir, Providers: []string{"demo", "codex"}}), change)
	r.dir = dir
	return r
}

func rigOn(t *testing.T, store *config.Store, change func(*web.Config)) *rig {
	t.Helper()
	cfg := web.Config{
		Settings: store,
		State:    func() web.State { return web.State{Provider: "demo <1>", Attached: 2, Detached: 3, Waiting: 4} },
		Program:  func(p web.Program) ([]byte, error) { return []byte("PRG for " + p.Host + " code " + p.Code), nil },
		Port:     6464,
		Names:    func() []string { return []string{"pi"} },
	}
	if change != nil {
		change(&cfg)
	}
	return &rig{t: t, site: web.New(cfg), store: store, from: "192.168.1.7:5000", host: "192.168.1.20"}
}

// ready makes pages with a password, and a browser that is signed in.
func ready(t *testing.T, change func(*web.Config)) *rig {
	t.Helper()
	r := newRig(t, change)
	r.setPassword()
	r.signIn()
	return r
}

// hashed is a digest of the password that takes no time to check, as a real one does
// on purpose: these tests sign in a thousand times.
var hashed = sync.OnceValues(func() (config.Password, error) {
	salt := []byte("salt of the rig")
	key := argon2.IDKey([]byte(password), salt, 1, 8, 1, 32)
	b64 := base64.RawStdEncoding.EncodeToString
	return config.ParsePassword(fmt.Sprintf("$argon2id$v=%d$m=8,t=1,p=1$%s$%s", argon2.Version, b64(salt), b64(key)))
})

// usePassword puts the password into settings.
func usePassword(s *config.Settings) (err error) {
	s.Password, err = hashed()
	return err
}

func (r *rig) setPassword() {
	r.t.Helper()
	if err := r.store.Update(usePassword); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) signIn() {
	r.t.Helper()
	res, _ := r.post("/signin", url.Values{"password": {password}})
	r.leadsTo(res, "/")
}

// answer is what a page answered.
type answer struct {
	*http.Response
	body string
}

// send sends a request as it is, and keeps the cookie of the answer.
func (r *rig) send(req *http.Request) answer {
	r.t.Helper()
	w := httptest.NewRecorder()
	r.site.Handler().ServeHTTP(w, req)
	res := w.Result()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	for _, c := range res.Cookies() {
		switch c.Name {
		case "prompt64":
			r.cookie = c.Value
		case "prompt64-known":
			r.known = c.Value
		}
	}
	return answer{res, string(body)}
}

func (r *rig) request(method, path string, body io.Reader) *http.Request {
	req := httptest.NewRequest(method, path, body)
	req.Host, req.RemoteAddr = r.host, r.from
	if r.cookie != "" {
		req.AddCookie(&http.Cookie{Name: "prompt64", Value: r.cookie})
	}
	if r.known != "" {
		req.AddCookie(&http.Cookie{Name: "prompt64-known", Value: r.known})
	}
	return req
}

func (r *rig) get(path string) answer {
	r.t.Helper()
	return r.send(r.request("GET", path, nil))
}

var tokenField = regexp.MustCompile(`name="token" value="([^"]+)"`)

// token is that of a page on which there is a form.
func (r *rig) token() string {
	r.t.Helper()
	for _, path := range []string{"/more", "/signin", "/welcome"} {
		if found := tokenField.FindStringSubmatch(r.get(path).body); found != nil {
			return found[1]
		}
	}
	r.t.Fatal("no page has a form")
	return ""
}

// form makes the request that a form of a page sends.
func (r *rig) form(path string, values url.Values) *http.Request {
	r.t.Helper()
	all := url.Values{"token": {r.token()}}
	for name, v := range values {
		all[name] = v
	}
	req := r.request("POST", path, strings.NewReader(all.Encode()))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return req
}

func (r *rig) post(path string, values url.Values) (answer, string) {
	r.t.Helper()
	res := r.send(r.form(path, values))
	return res, res.Header.Get("Location")
}

// leadsTo checks that a form was taken and where the browser goes.
func (r *rig) leadsTo(res answer, path string) {
	r.t.Helper()
	if to := res.Header.Get("Location"); res.StatusCode != http.StatusSeeOther || to != path {
		r.t.Errorf("status %d, leads to %q, want %s: %s", res.StatusCode, to, path, words(res.body))
	}
}

// says checks a status and that a page says something.
func (r *rig) says(res answer, status int, want ...string) {
	r.t.Helper()
	if res.StatusCode != status {
		r.t.Errorf("status %d, want %d: %s", res.StatusCode, status, words(res.body))
	}
	for _, text := range want {
		if !strings.Contains(words(res.body), text) {
			r.t.Errorf("the page does not say %q: %s", text, words(res.body))
		}
	}
}

var (
	tags   = regexp.MustCompile(`(?s)<head>.*?</head>|<[^>]*>`)
	spaces = regexp.MustCompile(`\s+`)
)

// words is a page without its tags.
func words(body string) string {
	text := spaces.ReplaceAllString(tags.ReplaceAllString(body, " "), " ")
	return strings.NewReplacer("&#39;", "'", "&#34;", `"`, "&amp;", "&", "&lt;", "<", "&gt;", ">").Replace(text)
}

// serve serves the pages on a free port of this machine until the test ends.
func (r *rig) serve() string {
	r.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		r.t.Fatal(err)
	}
	serveOn(r.t, r.site, l)
	return "http://" + l.Addr().String()
}

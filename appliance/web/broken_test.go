package web_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/prompt64/prompt64/appliance/folders"
	"github.com/prompt64/prompt64/appliance/health"
	"github.com/prompt64/prompt64/appliance/web"
)

func TestWorkspacesOfABrokenDiskAreNotSaidToBeNone(t *testing.T) {
	r, _, _, dir := equipped(t)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	unread := "The workspaces cannot be read: no such file or directory. Home shows how the disk does: mend that first."
	none := r.get("/setup/workspaces")
	r.failed(none, nil, http.StatusInternalServerError, unread)
	made := r.refuses("/setup/workspaces/new", url.Values{"name": {"game"}}, http.StatusInternalServerError, unread,
		"The workspace could not be made: no such file or directory. Home shows how the disk does: mend that first.")
	gone := r.refuses("/setup/workspaces/delete", url.Values{"name": {"game"}}, http.StatusInternalServerError, "There is no such workspace. "+unread)
	for _, res := range []answer{none, made, gone, r.get("/setup/workspaces/delete?name=game")} {
		if strings.Contains(words(res.body), "There is none yet") || res.StatusCode != http.StatusInternalServerError {
			t.Errorf("status %d: %s", res.StatusCode, words(res.body))
		}
	}
	r.says(r.get("/setup"), http.StatusOK, "Workspaces they cannot be read now")
}

func TestWorkspaceThatCannotBeDeletedIsToldWithItsReason(t *testing.T) {
	keeper, err := folders.Open(t.TempDir(), folders.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := ready(t, func(c *web.Config) { c.Workspaces = keeper })
	r.failed(r.get("/setup/workspaces/delete?name=game"), nil, http.StatusNotFound, "There is no such workspace.")
	if err := keeper.Close(); err != nil {
		t.Fatal(err)
	}
	r.refuses("/setup/workspaces/delete", url.Values{"name": {"game"}}, http.StatusInternalServerError,
		"The workspace could not be deleted: file already closed. Home shows how the disk does: mend that first.")
}

// What failed on the way to a C64 shows the form again, so that nobody has to look for
// the Ultimate anew to enter its password again.
func TestUltimateThatRefusesIsTriedAgainFromTheSamePage(t *testing.T) {
	r, _, ultimates, _ := equipped(t)
	ultimates.fail = errors.New("the Ultimate does not take this password")
	form := url.Values{"address": {"192.168.1.70"}, "own": {"192.168.1.64"}, "secret": {"moon base"}}
	for path, button := range map[string]string{"/c64/run": "Reset and run", "/c64/enable": "Switch its command interface on"} {
		if path == "/c64/enable" {
			form.Del("own") // its form has none
		}
		r.refuses(path, form, http.StatusBadGateway, "The Ultimate does not take this password.", button)
	}
	r.failed(r.get("/c64/find"), nil, http.StatusServiceUnavailable, "The search did not work: the Ultimate does not take this password.")
	r.failed(r.get("/c64/run?address=192.168.1.70&own=fe80::1"), nil, http.StatusUnprocessableEntity, "A C64 cannot dial that address. Look for Ultimates again.")
}

func TestProgramThatCannotBeMadeReachesNoUltimateAndTellsNoDetails(t *testing.T) {
	ultimates, log := &fakeUltimates{}, &bytes.Buffer{}
	r := ready(t, func(c *web.Config) {
		c.Ultimates, c.Log = ultimates, slog.New(slog.NewTextHandler(log, nil))
		c.Program = func(web.Program) ([]byte, error) { return nil, errors.New("inner secret") }
	})
	form := url.Values{"address": {"192.168.1.70"}}
	res := r.refuses("/c64/run", form, http.StatusInternalServerError, "The program cannot be made; the log says why.")
	if strings.Contains(res.body, "inner secret") || !strings.Contains(log.String(), "inner secret") {
		t.Errorf("the page or the log: %s", log)
	}
	r.host = "[fe80::1]"
	r.refuses("/c64/run", form, http.StatusBadRequest, "A C64 cannot dial the address of this page", "Open the page by the bridge's name or IPv4 address.")
	if ultimates.ran != "" {
		t.Errorf("it %s", ultimates.ran)
	}
	page := r.get("/c64")
	r.says(page, http.StatusOK, "A C64 cannot dial the address of this page", "IPv4")
	if strings.Contains(page.body, "/prompt64.prg") {
		t.Error("a program is offered that dials an address that no C64 can dial")
	}
}

func TestSearchForNetworksThatFailsSaysWhyAndWhereThereIsNoRadioThereIsNone(t *testing.T) {
	r := ready(t, func(c *web.Config) { c.Wifi = deaf{} })
	r.failed(r.get("/setup/wifi/scan"), nil, http.StatusServiceUnavailable, "The search did not work: scan aborted. Try again in a minute.")
	r = ready(t, nil)
	r.leadsTo(r.get("/setup/wifi/scan"), "/setup/wifi")
}

// deaf is a radio that finds nothing.
type deaf struct{ fakeWifi }

func (deaf) Scan(context.Context) ([]web.WifiNetwork, error) {
	return nil, errors.New("scan: scan aborted")
}

// chatty are agents of whom two want a sign-in, with an address too long for a picture.
type chatty struct{ *fakeAgents }

func (c chatty) List(ctx context.Context) []web.Agent {
	return append(c.fakeAgents.List(ctx), web.Agent{Name: "other", Title: "Other", CanSignIn: true})
}

func (chatty) SignIn(ctx context.Context, _ string, show func(url, code string)) error {
	show("https://example.com/?"+strings.Repeat("x", 4000), "ABCD")
	<-ctx.Done()
	return ctx.Err()
}

func TestKeyThatIsRefusedIsToldBesideItsAgentOnly(t *testing.T) {
	r := ready(t, func(c *web.Config) { c.Agents = chatty{&fakeAgents{fail: errors.New("ärger with this key")}} })
	res := r.refuses("/setup/agent/key", url.Values{"name": {"other"}, "key": {"sk-secret"}}, http.StatusUnprocessableEntity, "Ärger with this key.")
	if strings.Count(res.body, "with this key") != 1 || !strings.Contains(res.body, `id="key-other-error"`) ||
		strings.Count(res.body, "<details open>") != 1 || strings.Count(res.body, `id="key-codex"`) != 1 {
		t.Errorf("the page: %s", res.body)
	}
}

func TestAddressThatIsTooLongForAPictureStillHasItsPage(t *testing.T) {
	r := ready(t, func(c *web.Config) { c.Agents = chatty{&fakeAgents{}} })
	t.Cleanup(r.site.Close)
	res, _ := r.post("/setup/agent/signin", url.Values{"name": {"codex"}})
	r.leadsTo(res, "/setup/agent")
	eventually(t, "the code", func() bool { return strings.Contains(r.get("/setup/agent").body, "ABCD") })
	r.failed(r.get("/jobs/agent/qr.png"), nil, http.StatusInternalServerError, "The address is too long for a picture. Open it by hand.")
}

func TestNodeThatFailsWithoutWordsIsStillNamed(t *testing.T) {
	r := ready(t, func(c *web.Config) {
		c.Tree = func(context.Context) health.Report {
			return health.Report{Nodes: []health.Node{{ID: "bridge", Name: "Bridge", State: health.Fail}}}
		}
	})
	home := r.get("/")
	r.says(home, http.StatusOK, "?Bridge error")
	if strings.ContainsRune(home.body, utf8.RuneError) {
		t.Errorf("the words that there are not became: %s", words(home.body))
	}
}

// late is a form whose sending lets something else happen first.
type late struct {
	io.Reader
	first func()
}

func (l *late) Read(p []byte) (int, error) {
	if l.first != nil {
		l.first()
		l.first = nil
	}
	return l.Reader.Read(p)
}

func TestSecondFirstPasswordIsRefusedAlthoughItsFormWasLetIn(t *testing.T) {
	r := newRig(t, nil)
	form := url.Values{"password": {"another one"}, "again": {"another one"}}
	req := r.form("/welcome", form)
	req.Body = io.NopCloser(&late{req.Body, r.setPassword})
	res := r.send(req)
	r.failed(res, form, http.StatusConflict, "Somebody else has just set a password. Open the pages again and sign in with it.")
	if !r.store.Settings().Password.Matches(password) {
		t.Error("the second one is the password")
	}
	r.leadsTo(r.get("/setup"), "/signin")
}

func TestWaitForAPasswordIsSaidInTheWordsOfItsLength(t *testing.T) {
	now := time.Unix(1e9, 0)
	r := newRig(t, func(c *web.Config) { c.Now = func() time.Time { return now } })
	r.setPassword()
	r.guesses(6)
	for _, c := range []struct {
		later time.Duration
		want  string
	}{{0, "in 30 seconds."}, {28500 * time.Millisecond, "in 2 seconds."}, {time.Second, "in a second."}} {
		now = now.Add(c.later)
		r.refuses("/signin", url.Values{"password": {password}}, http.StatusTooManyRequests, "Try again "+c.want)
	}
	now = now.Add(time.Second)
	r.signIn()
}

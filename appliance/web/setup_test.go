package web_test

import (
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/folders"
	"github.com/prompt64/prompt64/appliance/web"
)

// equipped makes pages with every part, and a browser that is signed in.
func equipped(t *testing.T) (*rig, *fakeAgents, *fakeUltimates, string) {
	t.Helper()
	dir := t.TempDir()
	keeper, err := folders.Open(dir, folders.Options{InUse: func(name string) bool { return name == "busy" }})
	if err != nil {
		t.Fatal(err)
	}
	agents, ultimates := &fakeAgents{entered: make(chan struct{})}, &fakeUltimates{}
	r := ready(t, func(c *web.Config) {
		c.Workspaces, c.Agents, c.Ultimates, c.Wifi = keeper, agents, ultimates, fakeWifi{}
		c.Ports = func() []string { return []string{"/dev/ttyUSB0"} }
	})
	t.Cleanup(func() {
		r.site.Close()
		_ = keeper.Close()
	})
	return r, agents, ultimates, dir
}

// Beside a field that was refused stands what is allowed, and what was written.
func TestRefusedFieldsSayWhatIsAllowedBesideThem(t *testing.T) {
	r, _, _, _ := equipped(t)
	for _, c := range []struct {
		path string
		form url.Values
		id   string // of the field
		want string
	}{
		{"/setup/pairing", url.Values{"code": {"SHORT"}, "allow": {"loopback"}}, "code", "8 characters of A-Z and 2-9"},
		{"/setup/pairing", url.Values{"allow": {"loopback\nnonsense"}}, "allow", "nonsense: addresses and networks"},
		{"/setup/device", url.Values{"hostname": {"-x-"}}, "hostname", "letters, digits and inner hyphens"},
		{"/setup/serial", url.Values{"port": {"/etc/passwd"}, "baud": {"38400"}}, "port", "a device below /dev"},
		{"/setup/serial", url.Values{"port": {"/dev/ttyUSB0"}, "baud": {"x"}}, "baud", "38400"},
		{"/setup/wifi/add", url.Values{"ssid": {strings.Repeat("ä", 17)}}, "ssid", "1 to 32 bytes"},
		{"/setup/wifi/add", url.Values{"ssid": {"Home"}, "psk": {"seven77"}}, "psk", "8 to 63 characters"},
		{"/setup/wifi/add", url.Values{"ssid": {"Home"}, "region": {"Germany"}}, "region", "two capital letters"},
		{"/setup/password", url.Values{"old": {password}, "password": {"x"}, "again": {"x"}}, "password", "8 to 128 characters"},
		{"/setup/password", url.Values{"old": {password}, "password": {"a new password"}, "again": {"x"}}, "again", "not the same"},
		{"/setup/workspaces/new", url.Values{"name": {"../x"}}, "new-name", "letters, digits, spaces"},
		{"/setup/workspaces/clone", url.Values{"url": {"ext::sh -c id"}}, "url", "https://"},
		{"/setup/workspaces/clone", url.Values{"url": {"https://example.com/x"}, "name": {".git"}}, "clone-name", "letters, digits, spaces"},
		{"/setup/agent/key", url.Values{"name": {"codex"}}, "key-codex", "Enter the key"},
	} {
		res, _ := r.post(c.path, c.form)
		beside := regexp.MustCompile(`(?s)id="` + c.id + `-error">(.*?)</p>`).FindStringSubmatch(res.body)
		if res.StatusCode != http.StatusUnprocessableEntity || beside == nil || !strings.Contains(strings.ToLower(words(beside[1])), strings.ToLower(c.want)) {
			t.Errorf("%s %v: status %d, beside %s: %v; %s", c.path, c.form, res.StatusCode, c.id, beside, words(res.body))
		}
		for _, secret := range []string{"seven77", "a new password", password} {
			if strings.Contains(res.body, secret) {
				t.Errorf("%s: the page repeats a secret", c.path)
			}
		}
	}
}

func TestSetUpIsSavedAndShown(t *testing.T) {
	r, _, _, _ := equipped(t)
	for _, c := range []struct {
		path string
		form url.Values
		then string
	}{
		{"/setup/pairing", url.Values{"code": {"abcd2345"}, "allow": {"loopback, 192.168.1.0/24"}}, "/setup/pairing"},
		{"/setup/device", url.Values{"hostname": {"living-room"}}, "/setup/device"},
		{"/setup/serial", url.Values{"port": {"/dev/ttyUSB0"}, "baud": {"9600"}}, "/setup/serial"},
		{"/setup/wifi/add", url.Values{"ssid": {"Café & <b>"}, "psk": {"a long password"}, "region": {"de"}}, "/setup/wifi"},
		{"/setup/wifi/add", url.Values{"ssid": {"Second"}}, "/setup/wifi"},
		{"/setup/wifi/first", url.Values{"ssid": {"Café & <b>"}}, "/setup/wifi"},
		{"/setup/agent", url.Values{"name": {"codex"}}, "/setup/agent"},
	} {
		res, _ := r.post(c.path, c.form)
		r.leadsTo(res, c.then)
	}
	s := r.store.Settings()
	if s.Pairing.Code.Reveal() != "ABCD2345" || len(s.Pairing.Allow) != 2 || s.Hostname != "living-room" || s.Serial.Baud != 9600 ||
		s.Provider != "codex" || len(s.Wifi) != 2 || s.Wifi[0].SSID != "Café & <b>" || s.Wifi[0].Region != "DE" {
		t.Errorf("settings %v", s)
	}
	res := r.get("/setup/wifi")
	r.says(res, http.StatusOK, "Café & <b>", "wrong password for Neighbours")
	if strings.Contains(res.body, "a long password") || strings.Contains(res.body, "<b>") {
		t.Error("the page holds a secret, or what somebody wrote as it is")
	}
	forgotten, _ := r.post("/setup/wifi/forget", url.Values{"ssid": {"Second"}})
	r.leadsTo(forgotten, "/setup/wifi")
	again, _ := r.post("/setup/wifi/forget", url.Values{"ssid": {"Second"}})
	r.says(again, http.StatusConflict, "not known any more")
}

func TestNewCodesDifferAndAreAllowed(t *testing.T) {
	r, _, _, _ := equipped(t)
	seen := map[string]bool{}
	for range 20 {
		res, _ := r.post("/setup/pairing/new", nil)
		r.leadsTo(res, "/setup/pairing")
		code := r.store.Settings().Pairing.Code.Reveal()
		if !regexp.MustCompile(`^[A-HJ-NP-Z2-9]{8}$`).MatchString(code) || seen[code] {
			t.Errorf("code %q", code)
		}
		seen[code] = true
	}
}

func TestPasswordChangeNeedsTheOldOneAndSignsOthersOut(t *testing.T) {
	r, _, _, _ := equipped(t)
	other := rigOn(t, r.store, nil)
	other.site = r.site
	other.signIn()
	res, _ := r.post("/setup/password", url.Values{"old": {"not this one"}, "password": {"a new password"}, "again": {"a new password"}})
	r.says(res, http.StatusForbidden, "That is not the password")
	res, _ = r.post("/setup/password", url.Values{"old": {password}, "password": {"a new password"}, "again": {"a new password"}})
	r.leadsTo(res, "/setup/device")
	r.says(r.get("/setup/device"), http.StatusOK, "signed out")
	other.leadsTo(other.get("/"), "/signin")
	if !r.store.Settings().Password.Matches("a new password") {
		t.Error("the password is the old one")
	}
}

func TestSignInWithTheFormerPasswordDoesNotOutliveItsChange(t *testing.T) {
	for at := 1; ; at++ { // the change comes at each look at the clock in turn
		looks, changing := 0, false
		var change func()
		r := ready(t, func(c *web.Config) {
			c.Now = func() time.Time {
				if looks++; changing && looks == at {
					changing = false
					change()
				}
				return time.Now()
			}
		})
		other := rigOn(t, r.store, nil)
		other.site = r.site
		req := other.form("/signin", url.Values{"password": {password}})
		change = func() {
			res, _ := r.post("/setup/password", url.Values{"old": {password}, "password": {"a new password"}, "again": {"a new password"}})
			r.leadsTo(res, "/setup/device")
		}
		looks, changing = 0, true
		other.send(req)
		if changing {
			if at < 3 {
				t.Fatal("a sign-in looks at no clock")
			}
			return
		}
		other.leadsTo(other.get("/setup"), "/signin")
	}
}

func TestPathTraversalThroughWorkspaceFormsReachesNothing(t *testing.T) {
	r, _, _, dir := equipped(t)
	if err := os.Mkdir(filepath.Join(dir, "busy"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"..", "../..", "/", "/etc", "busy/..", ".", "", "a/b", `..\x`, "x\x00", "%2e%2e"} {
		if res, _ := r.post("/setup/workspaces/new", url.Values{"name": {name}}); res.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("new %q: status %d", name, res.StatusCode)
		}
		res, _ := r.post("/setup/workspaces/delete", url.Values{"name": {name}})
		r.says(res, http.StatusNotFound, "no such workspace")
	}
	res, _ := r.post("/setup/workspaces/delete", url.Values{"name": {"busy"}})
	r.says(res, http.StatusConflict, "A conversation works in this workspace")
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}

func TestPathTraversalInDownloadsFindsNoFile(t *testing.T) {
	r, _, _, _ := equipped(t)
	for _, path := range []string{"/../etc/passwd", "/static/page.css", "/templates/home.html", "/page.css/../../go.mod", "/%2e%2e/go.mod",
		"/..%2f..%2fgo.mod", "/jobs/..%2f..%2fx", "/session/..%2f/text", "/prompt64.prg/../config.json", "/config.json"} {
		res := r.get(path)
		if res.StatusCode == http.StatusOK || strings.Contains(res.body, "module github.com") || strings.Contains(res.body, "{{") {
			t.Errorf("%s: status %d", path, res.StatusCode)
		}
	}
}

func TestSymlinkInTheWorkspacesIsNotShownAndNotDeleted(t *testing.T) {
	r, _, _, dir := equipped(t)
	secret := t.TempDir()
	if err := os.Symlink(secret, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(words(r.get("/setup/workspaces").body), "link") {
		t.Error("the link is listed")
	}
	res, _ := r.post("/setup/workspaces/delete", url.Values{"name": {"link"}})
	r.says(res, http.StatusNotFound, "no such workspace")
	if _, err := os.Lstat(filepath.Join(dir, "link")); err != nil {
		t.Error(err)
	}
}

func TestHeaderInjectionThroughFieldsEndsInNoHeader(t *testing.T) {
	r, _, _, _ := equipped(t)
	evil := "x\r\nSet-Cookie: evil=1"
	for path, form := range map[string]url.Values{
		"/setup/device": {"hostname": {evil}}, "/setup/wifi/add": {"ssid": {evil}}, "/setup/workspaces/new": {"name": {evil}},
		"/setup/workspaces/clone": {"url": {"https://example.com/" + evil}}, "/c64/run": {"address": {evil}}, "/setup/agent": {"name": {evil}},
	} {
		res, _ := r.post(path, form)
		for name, values := range res.Header {
			if strings.Contains(name+strings.Join(values, ""), "evil") {
				t.Errorf("%s: %s: %v", path, name, values)
			}
		}
	}
}

func TestCloneThatCannotBeDoneSaysWhyOnThePage(t *testing.T) {
	r, _, _, _ := equipped(t)
	res, _ := r.post("/setup/workspaces/clone", url.Values{"url": {"https://127.0.0.1:1/game.git"}})
	r.leadsTo(res, "/setup/workspaces")
	eventually(t, "words", func() bool { return strings.Contains(words(r.get("/setup/workspaces").body), "does not answer") })
	res, _ = r.post("/jobs/clone/stop", nil)
	r.leadsTo(res, "/setup/workspaces")
	if strings.Contains(r.get("/setup/workspaces").body, "does not answer") {
		t.Error("what was closed is still there")
	}
}

func TestAgentsKeyReachesTheAgentAndNoPage(t *testing.T) {
	r, agents, _, _ := equipped(t)
	res, _ := r.post("/setup/agent/key", url.Values{"name": {"codex"}, "key": {"sk-secret"}})
	r.leadsTo(res, "/setup/agent")
	if page := r.get("/setup/agent"); agents.key != "sk-secret" || strings.Contains(page.body, "sk-secret") {
		t.Errorf("the agent got %q, or the page shows it", agents.key)
	}
	agents.fail = errors.New("the key was refused")
	res, _ = r.post("/setup/agent/key", url.Values{"name": {"codex"}, "key": {"sk-secret"}})
	r.says(res, http.StatusUnprocessableEntity, "The key was refused.")
	res, _ = r.post("/setup/agent", url.Values{"name": {"nobody"}})
	r.says(res, http.StatusUnprocessableEntity, "no such agent")
}

func TestRunOnAC64AsksFirstAndSendsThePatchedProgram(t *testing.T) {
	r, _, ultimates, _ := equipped(t)
	if err := r.store.Update(func(s *config.Settings) error { s.Pairing.Code = config.NewSecret("ABCD2345"); return nil }); err != nil {
		t.Fatal(err)
	}
	r.says(r.get("/c64/find"), http.StatusOK, "Ultimate 64 3.12", "The command interface is off")
	r.says(r.get("/c64/run?address=192.168.1.70&own=192.168.1.64"), http.StatusOK, "whatever runs on it now is lost")
	if ultimates.ran != "" {
		t.Fatal("it ran before it was asked")
	}
	form := url.Values{"address": {"192.168.1.70"}, "own": {"192.168.1.64"}, "secret": {"u64"}}
	res, _ := r.post("/c64/run", form)
	r.leadsTo(res, "/c64")
	if ultimates.ran != "run 192.168.1.70 u64" || string(ultimates.prg) != "PRG for 192.168.1.64 code ABCD2345" {
		t.Errorf("%s, %s", ultimates.ran, ultimates.prg)
	}
	res, _ = r.post("/c64/enable", url.Values{"address": {"192.168.1.71"}})
	r.leadsTo(res, "/c64")
	ultimates.fail = errors.New("the Ultimate is busy: close its menu")
	for _, path := range []string{"/c64/run", "/c64/enable"} {
		res, _ = r.post(path, form)
		r.says(res, http.StatusBadGateway, "The Ultimate is busy: close its menu.")
	}
	r.says(r.get("/c64/find"), http.StatusServiceUnavailable, "The search did not work")
	for _, address := range []string{"", "example.com", "192.168.1.70:80/x", "1.2.3"} {
		res, _ = r.post("/c64/run", url.Values{"address": {address}})
		r.says(res, http.StatusUnprocessableEntity, "no address of an Ultimate")
	}
}

func TestPartsThatAreNotThereSaySo(t *testing.T) {
	r := ready(t, nil)
	r.says(r.get("/setup/agent"), http.StatusNotFound, "command line")
	r.says(r.get("/setup/workspaces"), http.StatusNotFound, "not kept by these pages")
	r.says(r.get("/c64/find"), http.StatusNotFound, "does not look for Ultimates")
	r.says(r.get("/c64/run?address=192.168.1.70"), http.StatusNotFound, "does not look for Ultimates")
	r.says(r.get("/setup/workspaces/delete?name=x"), http.StatusNotFound, "not kept by these pages")
	r.says(r.get("/setup/wifi"), http.StatusOK, "its own system's business")
	r.says(r.get("/jobs/agent/qr.png"), http.StatusNotFound, "no code to enter")
	for path, form := range map[string]url.Values{
		"/setup/workspaces/new": {"name": {"x"}}, "/setup/workspaces/clone": {"url": {"https://example.com/x"}}, "/setup/workspaces/delete": {"name": {"x"}},
		"/setup/agent": {"name": {"demo"}}, "/c64/run": {"address": {"192.168.1.70"}}, "/setup/restart": nil, "/jobs/nothing/stop": nil,
	} {
		if res, _ := r.post(path, form); res.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d", path, res.StatusCode)
		}
	}
}

func TestNewStartIsOfferedWhenSettingsWaitForIt(t *testing.T) {
	asked := 0
	r := ready(t, func(c *web.Config) {
		c.Pending = func() []string { return []string{"the agent codex"} }
		c.Restart = func() { asked++ }
	})
	r.says(r.get("/setup"), http.StatusOK, "the agent codex", "Start the bridge again")
	res, _ := r.post("/setup/restart", nil)
	r.says(res, http.StatusOK, "starts again")
	if back := res.Header.Get("Refresh"); back != "5; url=/setup" {
		t.Errorf("the browser comes back by %q", back)
	}
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
}

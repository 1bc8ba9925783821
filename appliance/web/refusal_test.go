package web_test

import (
	"html"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// secretFields are never shown again, whatever happens.
var secretFields = []string{"password", "again", "old", "psk", "key", "secret"}

// pressed are the forms into which nothing is typed.
var pressed = []string{"/setup/wifi/first", "/setup/wifi/forget", "/setup/agent", "/setup/agent/install", "/setup/agent/signin",
	"/setup/workspaces/delete"}

var (
	inputs   = regexp.MustCompile(`<input [^>]*>`)
	texts    = regexp.MustCompile(`(?s)<textarea ([^>]*)>(.*?)</textarea>`)
	selects  = regexp.MustCompile(`(?s)<select ([^>]*)>(.*?)</select>`)
	chosen   = regexp.MustCompile(`<option value="([^"]*)" selected>`)
	named    = regexp.MustCompile(`name="([^"]*)"`)
	valued   = regexp.MustCompile(`value="([^"]*)"`)
	checkbox = regexp.MustCompile(`type="checkbox"`)
)

// inForms are the values that a page's forms show, by the names of their fields.
func inForms(body string) map[string][]string {
	found := map[string][]string{}
	add := func(tag, value string) {
		if name := named.FindStringSubmatch(tag); name != nil {
			found[name[1]] = append(found[name[1]], html.UnescapeString(value))
		}
	}
	for _, tag := range inputs.FindAllString(body, -1) {
		if checkbox.MatchString(tag) && !strings.Contains(tag, " checked") {
			continue
		}
		if value := valued.FindStringSubmatch(tag); value != nil {
			add(tag, value[1])
		}
	}
	for _, area := range texts.FindAllStringSubmatch(body, -1) {
		add(area[1], area[2])
	}
	for _, choice := range selects.FindAllStringSubmatch(body, -1) {
		if value := chosen.FindStringSubmatch(choice[2]); value != nil {
			add(choice[1], value[1])
		}
	}
	return found
}

// refuses sends a form that must not be taken, and checks what is so of every such one:
// the status and the words, that the page shows what was typed but no secret, that no
// success is told on this page or the next, and that the settings stay as they are.
func (r *rig) refuses(path string, form url.Values, status int, want ...string) answer {
	r.t.Helper()
	before := r.store.Settings()
	res, _ := r.post(path, form)
	if slices.Contains(pressed, path) {
		form = nil
	}
	r.failed(res, form, status, want...)
	if after := r.store.Settings(); !reflect.DeepEqual(before, after) {
		r.t.Errorf("%s: the settings were %v and are %v", path, before, after)
	}
	if next := r.get("/setup"); strings.Contains(next.body, `class="note ok"`) {
		r.t.Errorf("%s: the next page tells of a success: %s", path, words(next.body))
	}
	return res
}

// failed checks a page that tells of a failure.
func (r *rig) failed(res answer, form url.Values, status int, want ...string) {
	r.t.Helper()
	r.says(res, status, want...)
	if !strings.Contains(res.body, `class="note fail"`) && !strings.Contains(res.body, `class="error"`) {
		r.t.Errorf("nothing on the page is marked as a failure: %s", words(res.body))
	}
	if strings.Contains(res.body, `class="note ok"`) {
		r.t.Errorf("the page tells of a success: %s", words(res.body))
	}
	kept := inForms(res.body)
	for name, typed := range form {
		secret := slices.Contains(secretFields, name)
		switch {
		case secret && typed[0] != "" && strings.Contains(res.body, html.EscapeString(typed[0])):
			r.t.Errorf("the page repeats the secret %s", name)
		case !secret && typed[0] != "" && !strings.Contains(res.body, "<h1>That did not work</h1>") && !slices.Contains(kept[name], typed[0]):
			r.t.Errorf("%s was %q, and the page's forms have %q", name, typed[0], kept[name])
		}
	}
}

// A form that is refused for what stands in it, or for how things are by then.
func TestRefusedFormSaysWhyKeepsWhatWasTypedAndChangesNothing(t *testing.T) {
	for _, c := range []struct {
		path   string
		form   url.Values
		status int
		want   string
	}{
		{"/setup/device", url.Values{"hostname": {"living room"}}, http.StatusUnprocessableEntity, "letters, digits and inner hyphens"},
		{"/setup/pairing", url.Values{"code": {"short"}, "allow": {"10.0.0.7\n\"loop\"\n<all>"}}, http.StatusUnprocessableEntity, `"loop", <all>: addresses and networks`},
		{"/setup/password", url.Values{"old": {"wrong horse"}, "password": {"a new password"}, "again": {"a new password"}}, http.StatusForbidden, "That is not the password."},
		{"/setup/serial", url.Values{"port": {"/tmp/x"}, "baud": {"300"}}, http.StatusUnprocessableEntity, "A device below /dev"},
		{"/setup/wifi/add", url.Values{"ssid": {" Café "}, "psk": {"seven77"}, "region": {"Germany"}}, http.StatusUnprocessableEntity, "Two capital letters"},
		{"/setup/wifi/first", url.Values{"ssid": {"Home"}}, http.StatusConflict, "not known any more"},
		{"/setup/wifi/forget", url.Values{"ssid": {"Home"}}, http.StatusConflict, "not known any more"},
		{"/setup/agent", url.Values{"name": {"nobody"}}, http.StatusUnprocessableEntity, "no such agent. Go back and choose"},
		{"/setup/agent/install", url.Values{"name": {"nobody"}}, http.StatusUnprocessableEntity, "no such agent. Go back and choose"},
		{"/setup/agent/signin", url.Values{"name": {"nobody"}}, http.StatusUnprocessableEntity, "no such agent. Go back and choose"},
		{"/setup/agent/key", url.Values{"name": {"nobody"}, "key": {"sk-secret"}}, http.StatusUnprocessableEntity, "no such agent. Go back and choose"},
		{"/setup/agent", url.Values{"name": {"acp:opencode"}}, http.StatusUnprocessableEntity, "acp:opencode: one of demo, codex is allowed."}, // of the settings
		{"/setup/agent/install", url.Values{"name": {"acp:opencode"}}, http.StatusConflict, "not installed from here. Go back and reload the page. The program opencode is not there"},
		{"/setup/agent/signin", url.Values{"name": {"demo"}}, http.StatusConflict, "Demo is not signed in to from here."},
		{"/setup/agent/key", url.Values{"name": {"demo"}, "key": {"sk-secret"}}, http.StatusConflict, "Demo is not signed in to from here."},
		{"/setup/workspaces/new", url.Values{"name": {".git"}}, http.StatusUnprocessableEntity, "letters, digits, spaces"},
		{"/setup/workspaces/new", url.Values{"name": {"busy"}}, http.StatusUnprocessableEntity, "choose another name"},
		{"/setup/workspaces/clone", url.Values{"url": {"http://example.com/x"}, "name": {"x"}, "secret": {"ghp_1"}, "whole": {"on"}}, http.StatusUnprocessableEntity, "begins with https://"},
		{"/setup/workspaces/clone", url.Values{"url": {"https://example.com/x"}, "secret": {"ghp 1"}}, http.StatusUnprocessableEntity, "without spaces"},
		{"/setup/workspaces/delete", url.Values{"name": {"busy"}}, http.StatusConflict, "end it on the C64 first. Delete busy and everything in it?"},
		{"/c64/run", url.Values{"address": {"example.com"}}, http.StatusUnprocessableEntity, "Look for Ultimates again"},
		{"/c64/enable", url.Values{"address": {"192.168.1.70:80"}}, http.StatusUnprocessableEntity, "Look for Ultimates again"},
		{"/c64/run", url.Values{"address": {"192.168.1.70"}, "own": {"fe80::1"}}, http.StatusUnprocessableEntity, "Look for Ultimates again"},
		{"/jobs/nothing/stop", nil, http.StatusNotFound, "nothing like that to stop"},
		{"/setup/restart", nil, http.StatusNotFound, "end it, and start it"},
	} {
		t.Run(c.path, func(t *testing.T) {
			r, agents, ultimates, dir := equipped(t)
			mkdir(t, dir, "busy")
			r.refuses(c.path, c.form, c.status, c.want)
			if agents.key != "" || ultimates.ran != "" {
				t.Errorf("the agent got %q, the Ultimate %q", agents.key, ultimates.ran)
			}
			if body := r.get("/jobs/agent").StatusCode + r.get("/jobs/clone").StatusCode; body != 2*http.StatusNoContent {
				t.Error("something was begun")
			}
			if left := list(t, dir); !slices.Equal(left, []string{"busy"}) {
				t.Errorf("the workspaces are %v", left)
			}
		})
	}
}

func mkdir(t *testing.T, dir, name string) {
	t.Helper()
	if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
		t.Fatal(err)
	}
}

// list names what is in a folder.
func list(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

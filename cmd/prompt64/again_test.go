package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"testing"

	"github.com/prompt64/prompt64/appliance/config"
)

// owner is a browser at a bridge.
type owner struct {
	t      *testing.T
	client *http.Client
	web    string
}

func newOwner(t *testing.T, web string) *owner {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &owner{t, &http.Client{Jar: jar, Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}, "http://" + web}
}

// read reads a page; words is empty where nobody answers.
func (o *owner) read(path string) (words, where string) {
	res, err := o.client.Get(o.web + path)
	if err != nil {
		return "", ""
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(res.Body)
	return string(body), res.Request.URL.Path
}

// send sends a form of a page.
func (o *owner) send(from, to string, form url.Values) {
	o.t.Helper()
	page, _ := o.read(from)
	token := regexp.MustCompile(`name="token" value="([^"]*)"`).FindStringSubmatch(page)
	if token == nil {
		o.t.Fatalf("%s has no form", from)
	}
	form.Set("token", token[1])
	post := *o.client // what it leads to may not be there for a while
	post.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	res, err := post.PostForm(o.web+to, form)
	if err != nil {
		o.t.Fatal(err)
	}
	_ = res.Body.Close()
}

func TestNewStartFromThePagesKeepsPortsAndSignInsAndTakesSettings(t *testing.T) {
	o := testOptions(t)
	o.agent.name = "demo"
	ctx, stop := context.WithCancel(t.Context())
	lines, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- serveOn(ctx, o, out, silent, func() {}) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		_ = out.Close()
	})
	var bridge, web string
	if _, err := fmt.Fscanf(lines, "ready bridge=%s web=%s\n", &bridge, &web); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()

	me := newOwner(t, web)
	me.send("/welcome", "/welcome", url.Values{"password": {"open sesame"}, "again": {"open sesame"}})
	me.send("/setup/agent", "/setup/agent", url.Values{"name": {"acp:opencode"}})
	if page, _ := me.read("/setup"); !regexp.MustCompile(`the agent acp:opencode`).MatchString(page) {
		t.Errorf("Set-up does not say that the agent waits: %s", page)
	}
	me.send("/setup", "/setup/restart", url.Values{})
	eventually(t, "the new agent at the same address, and the owner signed in", func() bool {
		page, where := me.read("/")
		return where == "/" && regexp.MustCompile(`(?s)<dt>Agent</dt><dd>\S*opencode`).MatchString(page)
	})
	nc, err := net.Dial("tcp", bridge)
	if err != nil {
		t.Errorf("the bridge is not where it was: %v", err)
	} else {
		_ = nc.Close()
	}
	if page, _ := me.read("/setup"); regexp.MustCompile(`only after a new start`).MatchString(page) {
		t.Error("Set-up still waits for a new start")
	}
}

func TestPortThatTheSystemChoseIsKept(t *testing.T) {
	addr := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1234}
	for option, want := range map[string]string{"127.0.0.1:0": "127.0.0.1:1234", ":0": ":1234", ":6464": ":6464", "[::1]:0": "[::1]:1234"} {
		if got := samePort(option, addr); got != want {
			t.Errorf("%s: %s, want %s", option, got, want)
		}
	}
	if got := samePort(":0", nil); got != ":0" {
		t.Errorf("without an address: %s", got)
	}
}

func TestAgentsOfThePagesAreThoseThatTheSettingsTake(t *testing.T) {
	a, err := startApp(t.Context(), testOptions(t), silent)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.close(t.Context()) }()
	list := pageAgents{a}.List(t.Context())
	if len(list) != len(providerNames()) {
		t.Fatalf("%d agents", len(list))
	}
	for i, name := range providerNames() {
		one := list[i]
		if one.Name != name || one.Title == "" || one.About == "" {
			t.Errorf("%s: %+v", name, one)
		}
		if err := config.Validate(config.Settings{Hostname: "x", Provider: one.Name, Serial: config.Serial{Baud: 9600}}, config.Options{Providers: providerNames()}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := (pageAgents{a}).Install(t.Context(), "demo", nil); err == nil {
		t.Error("the demo was installed")
	}
}

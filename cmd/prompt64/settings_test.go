package main

import (
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/bridge"
	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/leaks"
	"github.com/prompt64/prompt64/appliance/lease"
	"github.com/prompt64/prompt64/appliance/supervisor"
	"github.com/prompt64/prompt64/frames"
)

// settingsFolder is a data folder with a file of settings.
func settingsFolder(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// optionsOf parses a command line and fills in the settings of a folder.
func optionsOf(t *testing.T, dir string, args ...string) serveOptions {
	t.Helper()
	o, err := parseServe(streams{out: io.Discard, err: io.Discard}, append([]string{"-data", dir}, args...))
	if err != nil {
		t.Fatal(err)
	}
	return o.withSettings(openSettings(serveOptions{data: dir}, silent), silent)
}

const someSettings = `{"version":1,"listen":"127.0.0.1:7000","web":"127.0.0.1:7001","provider":"codex","workspaces":"mine",
	"pairing":{"code":"ABCD2345","allow":["10.0.0.0/8"]},"defaults":{"access":"read-only","reasoning":"off","palette":true}}`

func TestCommandLineWinsOverTheSettings(t *testing.T) {
	dir := settingsFolder(t, someSettings)
	if err := os.Mkdir(filepath.Join(dir, "mine"), 0o700); err != nil {
		t.Fatal(err)
	}
	o := optionsOf(t, dir)
	if o.listen != "127.0.0.1:7000" || o.web != "127.0.0.1:7001" || o.agent.name != "codex" ||
		o.workspaces != filepath.Join(dir, "mine") || o.pairing.code != "ABCD2345" || len(o.pairing.allow) != 1 {
		t.Errorf("of the settings: %+v", o)
	}
	t.Setenv(codeVariable, "ZZZZ9999")
	o = optionsOf(t, dir, "-listen", ":1", "-web", ":2", "-provider", "demo", "-workspaces", "/", "-allow", "loopback")
	if o.listen != ":1" || o.web != ":2" || o.agent.name != "demo" || o.workspaces != "/" ||
		o.pairing.code != "ZZZZ9999" || len(o.pairing.allow) != len(bridge.Loopback()) {
		t.Errorf("of the command line: %+v", o)
	}
}

func TestFolderWithoutSettingsChangesNothing(t *testing.T) {
	dir := t.TempDir()
	want, err := parseServe(streams{out: io.Discard, err: io.Discard}, []string{"-data", dir})
	if err != nil {
		t.Fatal(err)
	}
	got := optionsOf(t, dir)
	if got.listen != want.listen || got.web != want.web || got.agent != want.agent || got.workspaces != "" ||
		got.pairing.code != "" || len(got.pairing.allow) != len(want.pairing.allow) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	a := &app{settings: openSettings(serveOptions{data: dir}, silent)}
	if a.leaseDefaults() != lease.DefaultSettings() || a.settingsStatus() != nil {
		t.Errorf("a lease starts with %+v, %q", a.leaseDefaults(), a.settingsStatus())
	}
}

func TestLeaseStartsWithTheDefaultsOfTheSettings(t *testing.T) {
	a := &app{settings: openSettings(serveOptions{data: settingsFolder(t, someSettings)}, silent)}
	want := lease.Settings{Access: frames.AccessReadOnly, Reasoning: frames.ReasoningOff, Display: frames.DisplayPalette}
	if got := a.leaseDefaults(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestWorkspacesOfTheSettingsThatAreMissingDoNotStopTheStart(t *testing.T) {
	defer leaks.None(t)
	o := testOptions(t)
	o.data = settingsFolder(t, `{"version":1,"workspaces":"/no/such/folder"}`)
	a, err := startApp(t.Context(), o, silent)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.close(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestLostSettingsLetOnlyTheMachineItselfIn(t *testing.T) {
	dir := settingsFolder(t, `{"version":1,"pairing":{"code":"ABCD2345","all`)
	o := optionsOf(t, dir)
	for _, p := range o.pairing.allow {
		if !p.Addr().IsLoopback() {
			t.Errorf("%s gets in", p)
		}
	}
	a := &app{settings: openSettings(serveOptions{data: dir}, silent)}
	if rows := a.settingsStatus(); o.pairing.code != "" || len(rows) != 1 || !strings.Contains(rows[0], "lost, closed") {
		t.Errorf("code %q, STATUS %q", o.pairing.code, rows)
	}
}

// heard is a pairing that tells what it was told.
type heard struct {
	code  chan string
	allow chan []netip.Prefix
}

func (h heard) SetCode(code string)           { h.code <- code }
func (h heard) SetAllow(allow []netip.Prefix) { h.allow <- allow }

func TestChangedPairingIsFollowedWhileTheBridgeRuns(t *testing.T) {
	defer leaks.None(t)
	h := heard{make(chan string), make(chan []netip.Prefix)}
	a := &app{settings: config.Open(config.Options{Dir: t.TempDir()}), pairing: h}
	tree := supervisor.New(silent)
	tree.Add(a.settingsPart())
	if err := a.settings.Update(func(s *config.Settings) error {
		s.Pairing = config.Pairing{Code: config.NewSecret("ABCD2345"), Allow: []string{"10.0.0.0/8"}}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	code, allow := <-h.code, <-h.allow
	if code == "" { // what was there before the change, told late
		code, allow = <-h.code, <-h.allow
	}
	if code != "ABCD2345" || len(allow) != 1 || allow[0].String() != "10.0.0.0/8" {
		t.Errorf("code %q, allow %v", code, allow)
	}
	if err := tree.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}

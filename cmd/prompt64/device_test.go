package main

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/config"
)

// The device's instance passes this program a command line that nobody types,
// so only a test notices a flag that went away.
func TestDeviceStartsTheBridgeWithFlagsThatExist(t *testing.T) {
	const program = "github.com/prompt64/prompt64/cmd/prompt64"
	text, err := os.ReadFile("../../config.json")
	if err != nil {
		t.Fatal(err)
	}
	var instance struct {
		Hostname      string
		Packages      []string
		PackageConfig map[string]struct{ CommandLineFlags, Environment []string }
	}
	if err := json.Unmarshal(text, &instance); err != nil {
		t.Fatal(err)
	}
	if instance.Hostname != "prompt64" || !slices.Contains(instance.Packages, program) {
		t.Errorf("hostname %q, packages %q", instance.Hostname, instance.Packages)
	}
	const guard = "github.com/prompt64/prompt64/cmd/guard"
	if memory := "GOMEMLIMIT=128MiB"; !slices.Contains(instance.Packages, guard) ||
		!slices.Contains(instance.PackageConfig[program].Environment, memory) {
		t.Errorf("no guard, or no limit to the memory: %+v", instance)
	}
	args := instance.PackageConfig[program].CommandLineFlags
	if len(args) == 0 || args[0] != serveCommand.name {
		t.Fatalf("the device runs %q", args)
	}
	o, err := parseServe(streams{out: io.Discard, err: io.Discard}, args[1:])
	if err != nil {
		t.Fatal(err)
	}
	if !o.device || o.data != "/perm/prompt64" || o.listen != ":6464" || o.web != ":80" {
		t.Errorf("options %+v", o)
	}
}

// What the owner chose on the pages must win over a device's defaults, and a
// command line over both.
func TestDeviceTakesItsSettingsAndTheOwnersFileFromTheBootPartition(t *testing.T) {
	boot := t.TempDir()
	drop := filepath.Join(boot, "prompt64.json")
	if err := os.WriteFile(drop, []byte(`{"version":1,"hostname":"attic","listen":"127.0.0.1:0","password":"open sesame"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(t.TempDir(), "perm", "prompt64")
	o, err := parseServe(streams{out: io.Discard, err: io.Discard}, []string{"-device", "-data", data, "-web", "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	o.boot = config.BootFolder(boot)
	a, err := startApp(t.Context(), o, silent)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := a.close(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	s := a.settings.Settings()
	if s.Hostname != "attic" || !s.Password.Matches("open sesame") || a.options.listen != "127.0.0.1:0" || len(a.troubles) > 0 {
		t.Errorf("settings %v, options %+v, troubles %q", s, a.options, a.troubles)
	}
	if _, err := os.Stat(drop); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file with the password is still there: %v", err)
	}
	if _, err := os.Stat(data + ".was-set-up"); err != nil {
		t.Errorf("nothing tells that there were settings: %v", err)
	}
}

// An address of the settings that the machine no longer has must not lock the
// owner out.
func TestDeviceWhoseAddressIsGoneListensElsewhereAndSaysSo(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	a := &app{log: silent, options: serveOptions{device: true}}
	d := &door{what: "C64s", addr: taken.Addr().String(), spare: "127.0.0.1:0"}
	if err := a.openDoor(d); err != nil {
		t.Fatal(err)
	}
	at := d.address().String()
	dialed(t, at)
	if at == taken.Addr().String() || len(a.troubles) != 1 || !strings.Contains(a.troubles[0], "in use") {
		t.Errorf("at %s, troubles %q", at, a.troubles)
	}
	if err := a.close(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestWorkstationsDataFolderThatIsOfNoUseStillFailsInWords(t *testing.T) {
	o := testOptions(t)
	o.data = filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(o.data, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := startApp(t.Context(), o, silent); err == nil || !strings.Contains(err.Error(), "choose another with -data DIR") {
		t.Errorf("it started: %v", err)
	}
}

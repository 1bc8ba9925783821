package main

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/image/build"
)

// network is one of the settings' Wi-Fi networks, as the device reads them.
type network struct{ SSID, PSK, Region string }

func parse(t *testing.T, stdin string, args ...string) (command, error) {
	t.Helper()
	return parseCommand(args, strings.NewReader(stdin), io.Discard)
}

func TestWifiKeyComesFromTheCommandLineOrStandardInput(t *testing.T) {
	for _, c := range []struct {
		stdin, ssid, psk, region string
		args                     []string
	}{
		{"", "home", "12345678", "DE", []string{"--wifi", "home", "12345678", "DE"}},
		{"", "home", "12345678", "DE", []string{"--wifi", "home", "12345678", "DE", "--board", "rpi"}},
		{"", "my home", "12345678", "", []string{"-o", "x.img", "-wifi", "my home", "12345678"}},
		{"from a file\r\n", "home", "from a file", "", []string{"--wifi", "home"}},
		{"from a file", "home", "from a file", "DE", []string{"--wifi", "home", "DE", "-lean"}},
		{"", "open", "", "", []string{"--wifi", "open"}},
	} {
		got, err := parse(t, c.stdin, c.args...)
		if err != nil {
			t.Errorf("%q: %v", c.args, err)
			continue
		}
		var file struct {
			Version int
			Wifi    []network
		}
		if err := json.Unmarshal(got.options.Settings, &file); err != nil {
			t.Fatal(err)
		}
		if want := []network{{c.ssid, c.psk, c.region}}; file.Version != 1 || !slices.Equal(file.Wifi, want) {
			t.Errorf("%q: %+v", c.args, file)
		}
	}
	for name, args := range map[string][]string{
		"without a name":     {},
		"with a short key":   {"home", "1234567", "DE"},
		"in small letters":   {"home", "de"},
		"with too long name": {strings.Repeat("x", 33)},
	} {
		if _, err := parse(t, "12345678", append([]string{"--wifi"}, args...)...); err == nil {
			t.Errorf("a network %s was accepted", name)
		}
	}
}

// A key on a command line is in the list of processes, and in the shell's history.
func TestWifiKeyOnTheCommandLineIsWarnedOf(t *testing.T) {
	for _, c := range []struct {
		stdin string
		args  []string
		warns bool
	}{
		{"", []string{"--wifi", "home", "12345678", "DE"}, true},
		{"", []string{"--wifi", "home", "12345678"}, true},
		{"12345678\n", []string{"--wifi", "home", "DE"}, false},
		{"12345678\n", []string{"--wifi", "home"}, false},
	} {
		var out strings.Builder
		got, err := parseCommand(c.args, strings.NewReader(c.stdin), &out)
		if err != nil || !strings.Contains(string(got.options.Settings), "12345678") {
			t.Errorf("%q: %s, %v", c.args, got.options.Settings, err)
		}
		if strings.Contains(out.String(), "every user of this computer") != c.warns || strings.Contains(out.String(), "12345678") {
			t.Errorf("%q: it says %q", c.args, out.String())
		}
	}
}

func TestFirmwareIsDownloadedUnlessTheOwnerSaysOtherwise(t *testing.T) {
	published, err := build.FirmwareAddress()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want build.Firmware
	}{
		{nil, build.Firmware{Address: published}},
		{[]string{"--wifi", "open"}, build.Firmware{Address: published, Needed: true}},
		{[]string{"--firmware", "dir"}, build.Firmware{Folder: "dir"}},
		{[]string{"--firmware", "none"}, build.Firmware{Declined: true}},
		{[]string{"--firmware", "./none"}, build.Firmware{Folder: "./none"}},
		{[]string{"--wifi", "open", "--firmware", "none"}, build.Firmware{Declined: true, Needed: true}},
	} {
		got, err := parse(t, "", c.args...)
		if err != nil || got.options.Firmware != c.want {
			t.Errorf("%q: %+v, %v", c.args, got.options.Firmware, err)
		}
	}
}

// What is written is what the device reads.
func TestDeviceUnderstandsTheWifiSettings(t *testing.T) {
	c, err := parse(t, "", "--wifi", "home", "12345678", "DE")
	if err != nil {
		t.Fatal(err)
	}
	boot := t.TempDir()
	if err := config.BootFolder(boot).WriteFile("prompt64.json", c.options.Settings); err != nil {
		t.Fatal(err)
	}
	s := config.Open(config.Options{Dir: t.TempDir(), Boot: config.BootFolder(boot)})
	if got := s.Settings().Wifi; len(got) != 1 || got[0].SSID != "home" {
		t.Errorf("%+v", got)
	}
}

func TestCommandLineIsCheckedBeforeAnythingIsBuilt(t *testing.T) {
	c, err := parse(t, "")
	if err != nil || c.options.Board.Name != "rpi" || c.options.Output != "prompt64-rpi.img" || !c.options.Tools || c.options.Settings != nil {
		t.Errorf("%+v, %v", c, err)
	}
	if c, err := parse(t, "", "-lean", "--board", "qemu-arm64"); err != nil || c.options.Tools || c.options.Output != "prompt64-qemu-arm64.img" {
		t.Errorf("%+v, %v", c, err)
	}
	for _, bad := range [][]string{{"--board", "c64"}, {"left"}, {"--nonsense"}} {
		if err := run(context.Background(), bad, strings.NewReader(""), io.Discard); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}

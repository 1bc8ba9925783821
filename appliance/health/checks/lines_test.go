package checks

import (
	"context"
	"errors"
	"testing"

	"github.com/prompt64/prompt64/appliance/agent/doctor"
	"github.com/prompt64/prompt64/appliance/health"
)

func TestSerialLineIsThereOrItIsSaidWhyNot(t *testing.T) {
	line := SerialLine{Port: "/dev/ttyUSB0", Baud: 38400}
	look := func(there bool) health.Node {
		return check(t, Serial(func() SerialLine { return line }, func(string) bool { return there }))
	}
	says(t, look(false), health.Fail, "/dev/ttyUSB0 is not there", "Plug")
	says(t, look(true), health.OK, "no C64 speaks")
	line.Attached = true
	says(t, look(true), health.OK, "is connected", "38400")
	line.Problem = "it may not be opened"
	says(t, look(true), health.Fail, "may not be opened")
	line = SerialLine{}
	says(t, look(true), health.Off, "none is set up")
}

func TestWifiTellsWhatKeepsItFromJoining(t *testing.T) {
	for _, c := range []struct {
		name  string
		radio Radio
		state health.State
		words []string
	}{
		{"not used", Radio{}, health.Off, []string{"no network"}},
		{"joined", Radio{Networks: 1, Joined: true, SSID: "loft", Signal: -50, Address: "10.0.0.7"}, health.OK, []string{`"loft"`, "10.0.0.7", "-50 dBm"}},
		{"signal unknown", Radio{Networks: 1, Joined: true, SSID: "loft", Address: "10.0.0.7"}, health.OK, []string{`"loft"`}},
		{"weak", Radio{Networks: 1, Joined: true, SSID: "loft", Signal: -80, Address: "10.0.0.7"}, health.Warn, []string{"weak", "Move"}},
		{"no address", Radio{Networks: 1, Joined: true, SSID: "loft", Signal: -50}, health.Warn, []string{"no address"}},
		{"wrong password", Radio{Networks: 1, Trouble: "the password is wrong"}, health.Fail, []string{"the password is wrong", "password on the pages"}},
		{"cable in use", Radio{Networks: 1, Trouble: "no such network", NotNeeded: true}, health.Warn, []string{"no such network", "cable"}},
		{"no words", Radio{Networks: 1}, health.Fail, []string{"tried again"}},
		{"a hostile name", Radio{Networks: 1, Joined: true, SSID: "a\nb\x1b[2J", Address: "10.0.0.7"}, health.OK, []string{`"a\nb\x1b[2J"`}},
	} {
		t.Run(c.name, func(t *testing.T) { says(t, check(t, Wifi(func() Radio { return c.radio })), c.state, c.words...) })
	}
}

func TestWifiOfAWorkstationIsItsOwn(t *testing.T) {
	says(t, check(t, Wifi(nil)), health.Off, "own programs")
}

func TestAgentShowsTheWorstThatItsDoctorFinds(t *testing.T) {
	good := doctor.Finding{Check: "program", State: doctor.OK, Says: "version 1"}
	signed := doctor.Finding{Check: "sign-in", State: doctor.OK, Says: "somebody@example.org"}
	bash := doctor.Finding{Check: "shell", State: doctor.Warning, Says: "no bash", Do: "install bash"}
	nobody := doctor.NobodySignedIn()
	look := func(err error, findings ...doctor.Finding) health.Node {
		return check(t, Agent(func() string { return "Codex" },
			func(context.Context) ([]doctor.Finding, error) { return findings, err }))
	}
	says(t, look(nil), health.OK, "Codex is ready")
	says(t, look(nil, good, signed), health.OK, "Codex: somebody@example.org")
	says(t, look(nil, good, bash, signed), health.Warn, "shell: no bash", "Install bash")
	says(t, look(nil, bash, nobody), health.Fail, "nobody is signed in", "Sign in under Set-up, Agent")
	if n := look(nil, nobody); n.Shell != "Run: prompt64 agent login codex" {
		t.Errorf("at a command line: %q", n.Shell)
	}
	if n := look(nil, good, bash, signed); n.Shell != "" {
		t.Errorf("at a command line: %q", n.Shell)
	}
	says(t, look(errors.New("no data folder")), health.Unknown, "no data folder")
}

func TestC64sAreCounted(t *testing.T) {
	here, away, stale := Lease{Addr: "10.0.0.9", Attached: true}, Lease{}, Lease{Addr: "10.0.0.8", Attached: true, Stale: true}
	look := func(leases ...Lease) health.Node { return check(t, C64(func() []Lease { return leases })) }
	says(t, look(), health.Off, "none is connected")
	says(t, look(here), health.OK, "1 is connected: 10.0.0.9")
	says(t, look(here, away, here, stale), health.OK, "2 are connected: 10.0.0.9, 10.0.0.9", "1 more may come back")
	says(t, look(away, away), health.Off, "2 conversations wait for their C64s")
	says(t, look(stale), health.Warn, "1 C64 shows no sign of life", "cable")
}

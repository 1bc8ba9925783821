package memory

import (
	"os"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/scripts/internal/bench/plan"
	"github.com/prompt64/prompt64/scripts/internal/bench/rig"
)

func TestOwnUsageIsPlausible(t *testing.T) {
	u, err := usageOf(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if u.resident < 1024 || u.peak < u.resident || u.proportional > u.peak {
		t.Errorf("%+v", u)
	}
}

func TestALineThatIsMissingOrNoNumberIsAnError(t *testing.T) {
	var v float64
	for text, want := range map[string]string{
		"VmPeak:\t 12 kB\n":   "0 of 1 lines",
		"VmRSS:\t a lot kB\n": "VmRSS",
		"":                    "0 of 1 lines",
	} {
		err := readKiB(strings.NewReader(text), map[string]*float64{"VmRSS": &v})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := readKiB(strings.NewReader("VmRSS:\t   1234 kB\n"), map[string]*float64{"VmRSS": &v}); err != nil || v != 1234 {
		t.Errorf("%v, %v", v, err)
	}
}

func TestReadyLineGivesTheBridge(t *testing.T) {
	addr, err := ready(strings.NewReader("ready bridge=127.0.0.1:4711 web=127.0.0.1:80\nmore"))
	if err != nil || addr != "127.0.0.1:4711" {
		t.Errorf("%q, %v", addr, err)
	}
	for _, bad := range []string{"", "ready", "listening on 6464\n"} {
		if addr, err := ready(strings.NewReader(bad)); err == nil {
			t.Errorf("%q gives %q", bad, addr)
		}
	}
}

func TestAProgramThatDoesNotServeIsNamed(t *testing.T) {
	for _, program := range []string{"", "/nonexistent/prompt64", "false"} {
		if _, err := Measure(t.Context(), plan.Plan{Quick: true, Bridge: program}); err == nil {
			t.Errorf("%q was measured", program)
		}
	}
}

func TestCheckSeesALogThatIsNotAllThere(t *testing.T) {
	b, err := rig.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	c, err := rig.Attach(b.Addr)
	if err != nil {
		t.Fatal(err)
	}
	s, err := b.Turn(t.Context(), func() error { return c.Send(frames.UserText{Text: []byte("go")}) })
	if err != nil {
		t.Fatal(err)
	}
	s.Text("some words")
	s.End(provider.EndDone, "")
	size, err := count(c, frames.TypeTurnDone)
	if err != nil {
		t.Fatal(err)
	}
	_ = c.Close()
	for _, k := range []kept{{c.Token, size}, {c.Token, size + 1}} {
		if err := b.Detached(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := k.check(b.Addr); (err == nil) != (k.size == size) {
			t.Errorf("%d bytes expected, %d retained: %v", k.size, size, err)
		}
	}
}

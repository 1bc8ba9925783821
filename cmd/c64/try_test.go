package main_test

import (
	"os"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/c64prg/machine/drive"
	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
)

// The script's slow answer must still run when the line is cut, however slow
// this computer is: the demo's pauses are held instead of timed.
func TestScriptThatATryPlaysSucceeds(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("../../scripts/try.script")
	if err != nil {
		t.Fatal(err)
	}
	b := stage.Open(t, stage.BridgeOptions{})
	c := stage.Boot(t, b.Addr, stage.Machine{})
	var out strings.Builder
	s := drive.Script{Driver: c.Driver, Out: &out, Step: func(_ int, line string) {
		switch {
		case strings.HasPrefix(line, `type "/slow`):
			b.Gate.Shut()
			b.Gate.Pass(9)
		case strings.HasPrefix(line, "gone"):
			b.Gate.Open()
		}
	}}
	if err := s.Run(strings.NewReader(string(script))); err != nil {
		t.Error(err)
	}
	if got := b.File("hello.txt"); got != "from the c64" {
		t.Errorf("the file has %q", got)
	}
	if !strings.Contains(out.String(), "delta 30") {
		t.Errorf("the last screen is not printed:\n%s", out.String())
	}
}

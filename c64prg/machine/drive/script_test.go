package drive

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// play runs a script on a machine and returns what it printed.
func play(t *testing.T, d *Driver, script string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	s := Script{Driver: d, Out: &out, Wait: 200 * time.Millisecond, Load: func() error { return nil }}
	err := s.Run(strings.NewReader(script))
	return out.String(), err
}

func TestScriptPlaysAndPrints(t *testing.T) {
	d, log := typewriter(t, Config{})
	png := filepath.Join(t.TempDir(), "s.png")
	out, err := play(t, d, `
# a comment, and an empty line

type Hi{\n
press F1 STOP x
hold SPACE 0.1
roll abc
poke $C000 1 0x02 255
peek $C000 3
joy 2 up fire
poke $3F00 0x40
poke $FFFA 0 0x3f
restore
run 0.2
png `+png+`
border 14
sid
clean
notes
speed 0
menu 1
dump
`)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(*log, ""); got != "Hi{\n<F1><STOP>x abc" {
		t.Errorf("typed %q", got)
	}
	if !strings.Contains(out, "C000: 01 02 FF") || !strings.Contains(out, "border 14 paper 6") {
		t.Errorf("printed %s", out)
	}
	if _, err := os.Stat(png); err != nil {
		t.Error(err)
	}
}

func TestScriptReadsTheScreen(t *testing.T) {
	d := idle(t, Config{})
	show(d, 2, 0, "ready. count 12")
	if _, err := play(t, d, "wait ready. 5\nexpect \"count 12\"\nwait \"count 12\" 1\nreject nope\ngone nope 0.1\ngone nope\nmatch (?m)^ready\n"); err != nil {
		t.Error(err)
	}
}

func TestScriptSetsFaults(t *testing.T) {
	d := idle(t, Config{})
	_, err := play(t, d, `cut blackhole
mend
cut reset
cut close
cutafter 5 in blackhole
cutafter 0x10 out reset
refuse on
refuse off
noanswer on
nodns off
absent on
absent off
wedge off
lose
lag 0.5
fragment 1 0.001
dirty command 03 01
dirty data 41 42
firmware 3.11
reset
`)
	if err != nil {
		t.Fatal(err)
	}
	if got := d.M.UCI().Profile().Name; got != "3.11" {
		t.Errorf("firmware %s", got)
	}
}

func TestScriptNamesTheLineThatFails(t *testing.T) {
	d := idle(t, Config{})
	for _, bad := range []string{
		"frobnicate", "wait", "wait nothing 0.1", "expect nothing", "type", "type ä", "type \"open", "press", "press F13",
		"hold a", "hold a x", "hold F13 1", "run", "run -1", "cut", "cut sideways", "cutafter 1", "cutafter x in reset",
		"cutafter 1 in x", "refuse", "lag x", "fragment 1", "fragment x 1", "dirty", "dirty command xyz", "firmware 2.6",
		"joy", "joy 2 sideways", "peek", "peek x", "poke 1", "poke x 1", "poke 1 x", "border x", "border 3", "speed x",
		"match [", "match nothing", "menu x", "roll A", "png /nonexistent/a/b.png", "reject  \"",
	} {
		if _, err := play(t, d, "run 0\n"+bad); err == nil || !strings.HasPrefix(err.Error(), "script line 2: ") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	s := Script{Driver: d, Out: &bytes.Buffer{}}
	if err := s.Run(strings.NewReader("reset")); err == nil {
		t.Error("reset without a program to load")
	}
}

func TestCleanFailsOnBreaches(t *testing.T) {
	d := idle(t, Config{})
	d.M.Violate("a rule")
	if _, err := play(t, d, "clean"); err == nil || !strings.Contains(err.Error(), "a rule at $") {
		t.Errorf("got %v", err)
	}
}

func TestHelpListsEveryCommand(t *testing.T) {
	for _, v := range verbs() {
		if v.help == "" || !strings.Contains(Help(), "\n  "+v.name+" ") && !strings.HasPrefix(Help(), "  "+v.name+" ") {
			t.Errorf("%s is not in the help", v.name)
		}
	}
}

package main

import (
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/prompt64/prompt64/c64prg"
	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/c64prg/machine/drive"
)

// sitDown is a person at a simulated terminal with the built-in program.
func sitDown(t *testing.T, w, h int) (*session, tcell.SimulationScreen) {
	t.Helper()
	m := machine.New(machine.Options{})
	t.Cleanup(m.Close)
	if err := m.Load(c64prg.Program()); err != nil {
		t.Fatal(err)
	}
	scr := tcell.NewSimulationScreen("UTF-8")
	if err := scr.Init(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(scr.Fini)
	scr.SetSize(w, h)
	d := drive.New(m, drive.Config{Glyphs: c64prg.Glyph})
	s := &session{d: d, load: func() error { return m.Load(c64prg.Program()) }, screen: scr}
	if err := d.WaitText("ready to connect", 10*time.Second); err != nil {
		t.Fatal(err)
	}
	return s, scr
}

// lines is what the terminal shows.
func lines(scr tcell.SimulationScreen) []string {
	cells, w, h := scr.GetContents()
	out := make([]string, h)
	for y := range out {
		var b strings.Builder
		for x := range w {
			b.WriteString(string(cells[y*w+x].Runes))
		}
		out[y] = b.String()
	}
	return out
}

func TestTerminalShowsTheScreenWithItsBorder(t *testing.T) {
	s, scr := sitDown(t, 80, 30)
	s.note = "a note"
	s.draw()
	all := lines(scr)
	if !strings.Contains(strings.Join(all, "\n"), "ready to connect") {
		t.Errorf("the text is missing:\n%s", strings.Join(all, "\n"))
	}
	if !strings.Contains(all[drive.Rows+2*topBorder], "a note") {
		t.Error("the note is not beneath the border")
	}
	cells, w, _ := scr.GetContents()
	_, back, _ := cells[0*w+40].Style.Decompose()
	if back != colour(s.d.Screen().Border) {
		t.Errorf("the border is %v", back)
	}
	ink, back, _ := cells[(1+3)*w+28].Style.Decompose()
	c := s.d.Screen().Cells[3][8]
	if ink != colour(c.Colour) || back != colour(s.d.Screen().Paper) {
		t.Errorf("text has %v on %v", ink, back)
	}
}

func TestSmallTerminalShowsWhatFits(t *testing.T) {
	for _, size := range [][2]int{{40, 25}, {20, 10}, {1, 1}, {41, 26}} {
		s, scr := sitDown(t, size[0], size[1])
		s.help = true
		s.draw()
		if n := len(lines(scr)); n != size[1] {
			t.Errorf("%v: %d lines", size, n)
		}
	}
}

func TestTerminalOf24RowsStillShowsEveryKey(t *testing.T) {
	for _, h := range []int{24, 20, 12} {
		s, scr := sitDown(t, 80, h)
		s.draw()
		text := strings.Join(lines(scr), "\n")
		for _, want := range []string{"PROMPT64", "ready to connect", "RETURN connect", "Q quit"} {
			if h == 12 && want == "ready to connect" {
				continue // something has to give
			}
			if !strings.Contains(text, want) {
				t.Errorf("%d rows do not show %q:\n%s", h, want, text)
			}
		}
	}
}

func TestNoteIsSeenWhereThereIsNoRowBeneathThePicture(t *testing.T) {
	s, scr := sitDown(t, 80, 24)
	s.note = "F12 lists the keys"
	s.draw()
	if top := lines(scr)[0]; !strings.Contains(top, s.note) {
		t.Errorf("the top row is %q", top)
	}
	s, scr = sitDown(t, 34, 24)
	s.draw()
	if top := lines(scr)[0]; !strings.Contains(top, "too narrow") {
		t.Errorf("the top row of a narrow terminal is %q", top)
	}
}

func TestQuitOfTheProgramIsNoFailure(t *testing.T) {
	s, _ := sitDown(t, 80, 30)
	if err := s.d.Type("q"); err == nil {
		t.Fatal("the program goes on")
	}
	var out strings.Builder
	if err := quit(s.d.M.Err(), &out); err != nil || !strings.Contains(out.String(), "BASIC") {
		t.Errorf("%v, and it says %q", err, out.String())
	}
	s, _ = sitDown(t, 80, 30)
	s.d.M.Fail("a fault")
	if err := quit(s.d.M.Err(), &out); err == nil {
		t.Error("a fault of the program is swallowed")
	}
}

func TestHelpListsTheKeys(t *testing.T) {
	s, scr := sitDown(t, 80, 30)
	if leave, err := s.key(tcell.NewEventKey(tcell.KeyF12, 0, 0)); leave || err != nil {
		t.Fatal(leave, err)
	}
	s.draw()
	text := strings.Join(lines(scr), "\n")
	for _, line := range keyHelp {
		if !strings.Contains(text, line) {
			t.Errorf("%q is not shown", line)
		}
	}
}

func TestTerminalKeysBecomeC64Keys(t *testing.T) {
	for name, ev := range map[string]*tcell.EventKey{
		"RETURN":       tcell.NewEventKey(tcell.KeyEnter, 0, 0),
		"SHIFT+RETURN": tcell.NewEventKey(tcell.KeyEnter, 0, tcell.ModAlt),
		"STOP":         tcell.NewEventKey(tcell.KeyEscape, 0, 0),
		"DEL":          tcell.NewEventKey(tcell.KeyBackspace2, 0, 0),
		"F8":           tcell.NewEventKey(tcell.KeyPgDn, 0, 0),
		"C=F7":         tcell.NewEventKey(tcell.KeyEnd, 0, 0),
		"CLR":          tcell.NewEventKey(tcell.KeyF9, 0, 0),
		"{":            tcell.NewEventKey(tcell.KeyRune, '{', 0),
		"A":            tcell.NewEventKey(tcell.KeyRune, 'A', 0),
	} {
		want, err := drive.KeyNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := chordFor(ev)
		if !ok || len(got) != len(want) || got[0] != want[0] || got[len(got)-1] != want[len(want)-1] {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	for _, ev := range []*tcell.EventKey{tcell.NewEventKey(tcell.KeyRune, 'ä', 0), tcell.NewEventKey(tcell.KeyF40, 0, 0)} {
		if _, ok := chordFor(ev); ok {
			t.Errorf("%v has a key", ev.Name())
		}
	}
	for key, name := range keyNames {
		if _, err := drive.KeyNamed(name); err != nil {
			t.Errorf("key %d: %v", key, err)
		}
	}
}

// TestTypedLineReachesTheProgram: a burst from the terminal, key by key.
func TestTypedLineReachesTheProgram(t *testing.T) {
	s, _ := sitDown(t, 80, 30)
	s.key(tcell.NewEventKey(tcell.KeyRune, 'e', 0)) // edits the address
	for _, r := range "bridge.lan" {
		s.key(tcell.NewEventKey(tcell.KeyRune, r, 0))
	}
	for range 200 {
		if err := s.d.RunFrames(1); err != nil {
			t.Fatal(err)
		}
		s.keys.frame(s.d.M)
	}
	if !s.d.Screen().Has("bridge.lan") {
		t.Errorf("the address was not typed:\n%s", s.d.Dump())
	}
}

func TestTypistForgetsNoKeyAndBoundsItsQueue(t *testing.T) {
	var k typist
	for range 2 * mostQueued {
		k.add([]machine.Key{machine.KeyA})
	}
	if len(k.queue) != mostQueued {
		t.Errorf("%d queued", len(k.queue))
	}
	m := machine.New(machine.Options{})
	defer m.Close()
	for range mostQueued * (framesDown + framesUp + 2) {
		k.frame(m)
	}
	if len(k.queue) != 0 || k.held != nil {
		t.Errorf("%d are left, held %v", len(k.queue), k.held)
	}
}

func TestFunctionKeysBeyondTheC64s(t *testing.T) {
	s, _ := sitDown(t, 80, 30)
	press := func(k tcell.Key) (bool, error) { return s.key(tcell.NewEventKey(k, 0, 0)) }
	for range 2 {
		if leave, err := press(tcell.KeyF10); leave || err != nil || s.note == "" {
			t.Errorf("F10: %v, note %q", err, s.note)
		}
	}
	if s.pulled {
		t.Error("the cable is out")
	}
	if leave, err := press(tcell.KeyF11); leave || err != nil {
		t.Error(err)
	}
	if err := s.d.WaitText("ready to connect", 10*time.Second); err != nil {
		t.Error("the program does not start again: ", err)
	}
	if leave, _ := press(tcell.KeyCtrlR); leave {
		t.Error("Ctrl-R leaves")
	}
	if err := s.d.Run(time.Second); err != nil {
		t.Error("RESTORE: ", err)
	}
	if leave, _ := press(tcell.KeyCtrlQ); !leave {
		t.Error("Ctrl-Q does not leave")
	}
}

func TestPlayEndsOnCtrlQAndOnFailure(t *testing.T) {
	s, scr := sitDown(t, 80, 30)
	scr.InjectKey(tcell.KeyRune, 'x', 0)
	scr.InjectKey(tcell.KeyCtrlQ, 0, 0)
	if err := play(scr, s.d, s.load); err != nil {
		t.Error(err)
	}
	s.d.M.Fail("the end")
	if err := play(scr, s.d, s.load); err == nil || !strings.Contains(err.Error(), "the end") {
		t.Errorf("got %v", err)
	}
}

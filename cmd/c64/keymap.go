package main

import (
	"github.com/gdamore/tcell/v2"
	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/c64prg/machine/drive"
	"github.com/prompt64/prompt64/c64prg/machine/uci"
)

// keyNames maps the terminal's keys to names that drive knows.
var keyNames = map[tcell.Key]string{
	tcell.KeyEnter: "RETURN", tcell.KeyCtrlJ: "SHIFT+RETURN", tcell.KeyEscape: "STOP",
	tcell.KeyBackspace: "DEL", tcell.KeyBackspace2: "DEL", tcell.KeyDelete: "DEL", tcell.KeyInsert: "INST",
	tcell.KeyUp: "UP", tcell.KeyDown: "DOWN", tcell.KeyLeft: "LEFT", tcell.KeyRight: "RIGHT", tcell.KeyHome: "HOME",
	tcell.KeyF1: "F1", tcell.KeyF2: "F2", tcell.KeyF3: "F3", tcell.KeyF4: "F4",
	tcell.KeyF5: "F5", tcell.KeyF6: "F6", tcell.KeyF7: "F7", tcell.KeyF8: "F8",
	tcell.KeyPgUp: "F7", tcell.KeyPgDn: "F8", tcell.KeyEnd: "C=F7", tcell.KeyF9: "CLR",
}

// keyHelp is what F12 shows.
var keyHelp = []string{
	"Terminal key        C64 key",
	"",
	"Return              RETURN",
	"Alt-Return, Ctrl-J  SHIFT+RETURN, a new line",
	"Esc                 RUN/STOP: back, cancel",
	"F1 .. F8            F1 .. F8",
	"Page up, down       F7, F8: scroll",
	"End                 C= and F7: to the end",
	"cursor keys, Home   cursor keys, HOME",
	"F9                  CLR: empty the editor",
	"Backspace, Insert   DEL, INST",
	`\ ^ _ { | } ~ ` + "`" + `     as typed`,
	"Ctrl-R              RESTORE",
	"",
	"F10                 pull or plug the network",
	"F11                 reset",
	"Ctrl-Q              leave",
	"F12                 close this list",
}

// chordFor finds the C64's keys for a key of the terminal.
func chordFor(ev *tcell.EventKey) ([]machine.Key, bool) {
	if ev.Key() == tcell.KeyRune {
		return drive.RuneKeys(ev.Rune())
	}
	name, ok := keyNames[ev.Key()]
	if !ok {
		return nil, false
	}
	if name == "RETURN" && ev.Modifiers()&(tcell.ModAlt|tcell.ModShift) != 0 {
		name = "SHIFT+RETURN"
	}
	chord, err := drive.KeyNamed(name)
	return chord, err == nil
}

// typist presses queued keys, as a terminal never says when a key is let go.
type typist struct {
	queue [][]machine.Key
	held  []machine.Key
	left  int // frames until the next act
}

// Frames that a key is down, and then up: two equal scans each, and one to spare.
const (
	framesDown = 3
	framesUp   = 2
	mostQueued = 256
)

func (t *typist) add(chord []machine.Key) {
	if len(t.queue) < mostQueued {
		t.queue = append(t.queue, chord)
	}
}

// frame moves the fingers on by one video frame.
func (t *typist) frame(m *machine.Machine) {
	if t.left > 0 {
		t.left--
		return
	}
	if t.held != nil {
		for _, k := range t.held {
			m.KeyUp(k)
		}
		t.held, t.left = nil, framesUp
		return
	}
	if len(t.queue) == 0 {
		return
	}
	t.held, t.queue = t.queue[0], t.queue[1:]
	for _, k := range t.held {
		m.KeyDown(k)
	}
	t.left = framesDown
}

// cable pulls the network cable or plugs it in.
func (t *session) cable() {
	t.pulled = !t.pulled
	if t.pulled {
		t.note = "the network is cut; F10 mends it"
		t.d.Cut(uci.BlackHole)
		return
	}
	t.note = "the network is mended"
	t.d.Mend()
}

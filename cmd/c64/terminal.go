package main

import (
	"fmt"

	"github.com/gdamore/tcell/v2"
	"github.com/prompt64/prompt64/c64prg/machine/drive"
)

// session is a person at the terminal.
type session struct {
	d      *drive.Driver
	load   func() error
	screen tcell.Screen
	keys   typist
	help   bool
	pulled bool // the network cable
	note   string
	shown  *view
}

// terminal runs the machine on the terminal until the user leaves.
func terminal(d *drive.Driver, load func() error) error {
	s, err := tcell.NewScreen()
	if err != nil {
		return fmt.Errorf("no terminal (%w): use -script to run without one", err)
	}
	if err := s.Init(); err != nil {
		return fmt.Errorf("no terminal (%w): use -script to run without one", err)
	}
	defer s.Fini()
	return play(s, d, load)
}

// play runs the machine on a screen until the user leaves.
func play(s tcell.Screen, d *drive.Driver, load func() error) error {
	quit := make(chan struct{})
	events := make(chan tcell.Event, 32)
	go s.ChannelEvents(events, quit)
	t := &session{d: d, load: load, screen: s, note: "F12 lists the keys"}
	err := t.loop(events)
	close(quit)
	for range events { // until the goroutine has ended
	}
	return err
}

// loop shows a frame, then takes what was typed, until the end.
func (t *session) loop(events <-chan tcell.Event) error {
	for {
		if err := t.d.RunFrames(1); err != nil {
			return err
		}
		t.keys.frame(t.d.M)
		t.draw()
		for waiting := true; waiting; {
			select {
			case ev, ok := <-events:
				if !ok {
					return nil
				}
				if leave, err := t.take(ev); leave || err != nil {
					return err
				}
			default:
				waiting = false
			}
		}
	}
}

// take handles one event of the terminal; true means that the user leaves.
func (t *session) take(ev tcell.Event) (bool, error) {
	switch ev := ev.(type) {
	case *tcell.EventResize:
		t.shown = nil
		t.screen.Sync()
	case *tcell.EventKey:
		return t.key(ev)
	}
	return false, nil
}

func (t *session) key(ev *tcell.EventKey) (bool, error) {
	t.note = ""
	switch ev.Key() {
	case tcell.KeyCtrlQ, tcell.KeyCtrlC:
		return true, nil
	case tcell.KeyF12:
		t.help = !t.help
	case tcell.KeyCtrlR:
		t.d.M.Restore()
	case tcell.KeyF11:
		t.note = "reset"
		t.d.M.Reset()
		return false, t.load()
	case tcell.KeyF10:
		t.cable()
	default:
		if chord, ok := chordFor(ev); ok {
			t.keys.add(chord)
		}
	}
	return false, nil
}

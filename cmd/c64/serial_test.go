package main_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/link"
	"github.com/prompt64/prompt64/appliance/link/linktest"
	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/c64prg/machine/acia"
	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
)

// atALine is a C64 at a serial line and what is there.
type atALine struct {
	*testing.T
	*stage.C64
	b    *stage.Bridge
	line *stage.Line
}

// onALine runs a test of a C64 at a serial line, whose time is the bridge's.
func onALine(t *testing.T, o stage.LineOptions, m stage.Machine, f func(s atALine)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := stage.NewLine(t, o)
		b := stage.Open(t, stage.BridgeOptions{Line: l})
		m.NoUCI, m.Line = true, l
		f(atALine{t, stage.Boot(t, b.Addr, m), b, l})
	})
}

// standards are the two kinds of C64 that differ for a serial line.
var standards = []machine.Standard{machine.PAL, machine.NTSC}

// byDefault says whether a combination is played: every second one, and with
// PROMPT64_LONG=1 all.
func byDefault(i int) bool { return long || i%2 == 0 }

// quiet says that nothing was lost in the chip: RTS held the bridge in time.
func (s atALine) quiet() {
	s.Helper()
	if n := s.line.Device().Overruns(); n != 0 {
		s.Errorf("%d of %d bytes were lost in the chip", n, s.line.Device().Received())
	}
}

func TestTalkOverASerialLineIsTheOneOverTheNetwork(t *testing.T) {
	t.Parallel()
	want := undisturbed(t)
	for i, std := range standards {
		for j, baud := range link.Bauds() {
			if baud != link.DefaultBaud && !byDefault(i+j) {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", std.Name, baud), func(t *testing.T) {
				t.Parallel()
				onALine(t, stage.LineOptions{Baud: baud, Profile: acia.Turbo232}, stage.Machine{Standard: std}, func(s atALine) {
					talk(s.b, s.C64, func(moment) {})
					played(s.T, s.b, s.C64, want)
					if baud <= 57600 { // above, a byte is shorter than a bad line and the handler
						s.quiet()
					}
				})
			})
		}
	}
}

// Every cartridge, at both of its places, with an adapter that goes on for some
// bytes after RTS fell.
func TestTalkOverEveryCartridge(t *testing.T) {
	t.Parallel()
	want := undisturbed(t)
	for i, p := range acia.Profiles() {
		for j, page := range []byte{0xde, 0xdf} {
			if !byDefault(i/2 + j) {
				continue
			}
			t.Run(fmt.Sprintf("%s at %02X00", p.Name, page), func(t *testing.T) {
				t.Parallel()
				o := stage.LineOptions{Profile: p, Rockwell: page == 0xdf, Page: page, Overshoot: 16}
				onALine(t, o, stage.Machine{Standard: standards[i%2]}, func(s atALine) {
					talk(s.b, s.C64, func(moment) {})
					played(s.T, s.b, s.C64, want)
					s.quiet()
				})
			})
		}
	}
}

// faults are what lines do.
var faults = map[string]stage.LineOptions{
	"bits flip":          {Faults: linktest.Faults{Flip: 0.002}},
	"bytes are lost":     {Faults: linktest.Faults{Lose: 0.002}},
	"bytes are doubled":  {Faults: linktest.Faults{Double: 0.002}},
	"bytes come between": {Faults: linktest.Faults{Insert: 0.002}},
	"all of it":          {Faults: linktest.Rough},
	"it echoes":          {Echo: true},
	"it echoes, roughly": {Echo: true, Faults: linktest.Rough},
	"half its rate":      {Gap: 1},
	"RTS is seen late":   {Overshoot: 50},
}

func TestTalkIsTheSameWhateverTheSerialLineDoes(t *testing.T) {
	t.Parallel()
	want := undisturbed(t)
	names := slices.Sorted(maps.Keys(faults))
	for i, name := range names {
		for j, std := range standards {
			if !byDefault(i + j) {
				continue
			}
			o := faults[name]
			t.Run(name+"/"+std.Name, func(t *testing.T) {
				t.Parallel()
				o.Seed = seed(t)
				onALine(t, o, stage.Machine{Standard: std}, func(s atALine) {
					talk(s.b, s.C64, func(moment) {})
					played(s.T, s.b, s.C64, want)
				})
			})
		}
	}
}

// unplugged is for how long the adapter is away: a connection outlives the
// shorter one, the longer one ends it.
var unplugged = []time.Duration{4 * time.Second, 20 * time.Second}

func TestAdapterThatIsPulledOutAndPutBackLosesNothing(t *testing.T) {
	t.Parallel()
	want := undisturbed(t)
	for when := range moments {
		for i, away := range unplugged {
			if !byDefault(int(when) + i) {
				continue
			}
			t.Run(fmt.Sprintf("%d/%s", when, away), func(t *testing.T) {
				t.Parallel()
				onALine(t, stage.LineOptions{}, stage.Machine{Standard: standards[int(when)/2%2]}, func(s atALine) {
					talk(s.b, s.C64, func(now moment) {
						if now == when {
							s.line.Unplug()
							time.AfterFunc(away, s.line.Plug)
						}
					})
					played(s.T, s.b, s.C64, want)
				})
			})
		}
	}
}

// A line that lets nothing through for longer than a connection lives, while the
// bridge's adapter notices nothing.
func TestDeadSerialLineIsDialledAgainAndNothingIsLost(t *testing.T) {
	t.Parallel()
	want := undisturbed(t)
	for when := range moments {
		if !byDefault(int(when)) {
			continue
		}
		t.Run(fmt.Sprint(when), func(t *testing.T) {
			t.Parallel()
			onALine(t, stage.LineOptions{}, stage.Machine{Standard: standards[when/2%2]}, func(s atALine) {
				talk(s.b, s.C64, func(now moment) {
					if now == when {
						s.line.Cut(true)
						time.AfterFunc(20*time.Second, func() { s.line.Cut(false) })
					}
				})
				played(s.T, s.b, s.C64, want)
			})
		})
	}
}

// A reset in the middle of a turn: the restarted program opens a new connection,
// which takes the place of the old one, and gets the whole turn again.
func TestResetAtASerialLineShowsTheWholeTurnAgain(t *testing.T) {
	t.Parallel()
	for _, std := range standards {
		t.Run(std.Name, func(t *testing.T) {
			t.Parallel()
			onALine(t, stage.LineOptions{}, stage.Machine{Standard: std}, func(s atALine) {
				s.Connect()
				s.Ask("/say before")
				s.b.Gate.Shut()
				s.Keys("/slow 8 100\n")
				s.b.Gate.Pass(3)
				s.WaitPaper("delta 4", patience)
				s.Reset()
				s.Wait("A session from before is still there", patience)
				s.Strike("RETURN")
				s.WaitPaper("delta 4", patience)
				s.b.Gate.Open()
				s.WaitPaper("delta 8", patience)
				s.Settled()
				text := strings.Join(strings.Fields(s.Paper.Said()), " ")
				if want := "> /say before before > /slow 8 100 delta 1 delta 2"; !strings.HasPrefix(text, want) || strings.Count(text, "delta 5") != 1 {
					s.Errorf("the transcript is %q", text)
				}
			})
		})
	}
}

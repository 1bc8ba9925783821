package main_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prompt64/prompt64/appliance/link/linktest"
	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/c64prg/machine/acia"
	"github.com/prompt64/prompt64/c64prg/machine/drive"
	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
)

// burst fills the screen many times over.
const burst = "/stream 20480"

// Somebody types, looks through the prompts (which are beneath the I/O) and hits
// RESTORE while 20 KiB scroll by at full speed: no byte is lost, no key is late.
func TestBurstOverASerialLineLosesNothingWhateverThePersonDoes(t *testing.T) {
	t.Parallel()
	want := stage.Story(stage.Open(t, stage.BridgeOptions{}).Tell("/say one", burst))
	for _, std := range standards {
		t.Run(std.Name, func(t *testing.T) {
			t.Parallel()
			dice := rand.New(rand.NewPCG(seed(t), 1))
			onALine(t, stage.LineOptions{Overshoot: 16}, stage.Machine{Standard: std}, func(s atALine) {
				s.Connect()
				s.Ask("/say one")
				s.Keys(burst + "\n")
				s.WaitPaper("> "+burst, patience)
				late := 0
				for s.line.Device().Received() < 20000 {
					s.Strike("CLR")
					late = max(late, s.shows('x'))
					s.Strike("UP", "DOWN")
					for range 5 {
						if err := s.M.Run(dice.Uint64N(5000)); err != nil {
							s.Fatal(err)
						}
						s.M.Restore()
					}
				}
				s.WaitPaper(stage.Ink(want)[len(stage.Ink(want))-60:], patience)
				s.Settled()
				sameText(s.T, s.Paper.Said(), want)
				s.quiet()
				if late > 2 {
					s.Errorf("a key showed after %d frames", late)
				}
			})
		})
	}
}

// shows presses a key with a clear editor and counts the frames until it shows.
func (s atALine) shows(r rune) (frames int) {
	s.Helper()
	keys, _ := drive.RuneKeys(r)
	s.M.KeyDown(keys[0])
	for ; !strings.HasPrefix(s.Editor(), "> "+string(r)); frames++ {
		if frames > 50 {
			s.Fatalf("the key never showed: %q", s.Editor())
		}
		s.Let(time.Millisecond) // a frame
	}
	s.M.KeyUp(keys[0])
	s.Let(50 * time.Millisecond)
	return frames
}

func TestLongPromptArrivesWholeOverARoughLine(t *testing.T) {
	t.Parallel()
	prompt := "/say " + strings.Repeat("a long way to go }~ ", 20)
	prompt = prompt[:longest/2] + "."
	for i, std := range standards {
		if !byDefault(i) {
			continue
		}
		t.Run(std.Name, func(t *testing.T) {
			t.Parallel()
			o := stage.LineOptions{Faults: linktest.Faults{Flip: 0.001, Lose: 0.001, Double: 0.001}, Seed: seed(t)}
			onALine(t, o, stage.Machine{Standard: std}, func(s atALine) {
				s.Connect()
				s.Keys(prompt + "\n")
				s.Until("the agent has it", patience, func() bool { return len(s.b.Prompts()) > 0 })
				s.Settled()
				if diff := cmp.Diff([]string{prompt}, s.b.Prompts()); diff != "" {
					s.Errorf("the agent's prompts (-want +got):\n%s", diff)
				}
				sameText(s.T, s.Paper.Said(), "> "+prompt+" "+prompt[len("/say "):])
			})
		})
	}
}

// A line that rests is asked now and then whether it lives, and stays.
func TestSerialLineRestsAndStays(t *testing.T) {
	t.Parallel()
	onALine(t, stage.LineOptions{}, stage.Machine{}, func(s atALine) {
		s.Connect()
		for range 12 {
			s.Let(5 * time.Second)
			if !s.OnLine() {
				s.Fatalf("the title is %q", s.Title())
			}
		}
		s.Ask("/say still there")
		s.WaitPaper("still there", patience)
		if n := s.line.Opened(); n != 1 {
			s.Errorf("%d connections", n)
		}
	})
}

func TestLeavingOverASerialLineEndsTheConnection(t *testing.T) {
	t.Parallel()
	onALine(t, stage.LineOptions{}, stage.Machine{}, func(s atALine) {
		s.Connect()
		s.Strike("STOP", "y")
		s.Wait("RETURN connect", patience)
		s.Connect()
		s.Ask("/say again")
		if n := s.line.Opened(); n != 2 {
			s.Errorf("%d connections", n)
		}
	})
}

// Wrong speed: words, while it goes on asking; S goes through the speeds to the
// right one.
func TestSpeedIsChosenOnTheConnectScreen(t *testing.T) {
	t.Parallel()
	onALine(t, stage.LineOptions{Baud: 9600}, stage.Machine{Untold: true}, func(s atALine) {
		s.Wait("link     ultimate network (uci)", time.Second)
		s.Strike("s")
		s.Wait("link     serial, 38400 baud", time.Second)
		s.Strike("RETURN")
		s.Wait("The serial line is silent.", 10*time.Second)
		s.Let(10 * time.Second)
		if s.OnLine() {
			s.Fatal("a line at the wrong speed was taken for a connection")
		}
		s.Strike("STOP", "s", "s")
		s.Wait("link     serial, 9600 baud", time.Second)
		s.Connect()
		s.Ask("/say through")
		s.WaitPaper("through", patience)
	})
}

// On a C64 that has both, S leads from the network to the line and, past all
// speeds, back.
func TestWaysToTheBridgeAreATurnOfS(t *testing.T) {
	t.Parallel()
	b := stage.Open(t, stage.BridgeOptions{})
	c := stage.Boot(t, b.Addr, stage.Machine{})
	for _, way := range []string{"38400", "19200", "9600", "4800", "2400", "57600", "115200"} {
		c.Strike("s")
		c.Wait("link     serial, "+way+" baud", time.Second)
	}
	c.Strike("s")
	c.Wait("ultimate network (uci)", time.Second)
	c.Strike("s", "RETURN")
	c.Wait("No SwiftLink or Turbo232 is there", time.Second)
	for range 7 {
		c.Strike("s")
	}
	c.Connect()
	c.Ask("/say by the network")
}

// A RAM expansion at $DF00 has registers that read as they were written, too.
func TestRAMExpansionIsNotTakenForASerialCartridge(t *testing.T) {
	t.Parallel()
	b := stage.Open(t, stage.BridgeOptions{})
	c := stage.Boot(t, b.Addr, stage.Machine{NoUCI: true})
	reu := &ramExpansion{}
	c.M.AttachAt(0xdf, reu)
	c.Strike("s", "RETURN")
	c.Wait("No SwiftLink or Turbo232 is there", time.Second)
	if reu.moved {
		t.Error("it was told to move memory")
	}
}

// ramExpansion is the registers of one.
type ramExpansion struct {
	reg   [11]byte
	moved bool
}

var _ machine.Expansion = (*ramExpansion)(nil)

func (r *ramExpansion) Load(reg byte, _ uint64) (byte, bool) {
	if int(reg) >= len(r.reg) {
		return 0, false
	}
	return r.reg[reg], true
}

func (r *ramExpansion) Store(reg, v byte, _ uint64) {
	if int(reg) < len(r.reg) {
		r.reg[reg] = v
		r.moved = r.moved || reg == 1 && v&0x80 != 0
	}
}

func (r *ramExpansion) Advance(uint64) {}
func (r *ramExpansion) Next() uint64   { return ^uint64(0) }
func (r *ramExpansion) IRQ() bool      { return false }
func (r *ramExpansion) NMI() bool      { return false }
func (r *ramExpansion) Reset()         {}

// Speeds above 38400 need a Turbo232.
func TestSwiftLinkRefusesASpeedThatItHasNot(t *testing.T) {
	t.Parallel()
	onALine(t, stage.LineOptions{Baud: 57600, Profile: acia.SwiftLink}, stage.Machine{}, func(s atALine) {
		s.Strike("RETURN")
		s.Wait("it has not that speed", time.Second)
	})
}

// Back in BASIC nothing may raise an NMI, and the bridge may not send.
func TestProgramThatEndsLetsTheSerialLineGo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := stage.NewLine(t, stage.LineOptions{})
		b := stage.Open(t, stage.BridgeOptions{Line: l})
		c := stage.Boot(t, b.Addr, stage.Machine{NoUCI: true, Line: l})
		c.Connect()
		c.Strike("STOP", "y")
		c.Wait("RETURN connect", patience)
		err := c.Press(machine.KeyQ)
		var ended *machine.Failure
		for err == nil {
			err = c.RunFrames(1)
		}
		if !errors.As(err, &ended) || ended.PC != machine.ResetEntry {
			t.Fatal(err)
		}
		if d := l.Device(); d.RTS() || d.NMI() || d.Port().CTS() {
			t.Errorf("RTS %t, NMI %t", d.RTS(), d.NMI())
		}
	})
}

func TestSerialConnectScreensLook(t *testing.T) {
	t.Parallel()
	onALine(t, stage.LineOptions{Baud: 19200}, stage.Machine{Host: goldenHost, Port: goldenPort}, func(s atALine) {
		s.Portray("connect_serial")
		s.line.Cut(true)
		s.Strike("RETURN")
		s.Wait("The serial line is silent.", 10*time.Second)
		s.Let(100 * time.Millisecond)
		s.Portray("error_the_serial_line_is_silent")
		s.line.Cut(false)
		s.Connect()
		s.Ask("/say hello")
		s.Portray("chat_serial")
	})
}

// A way that was chosen by S is the session's: a restarted program takes it up
// there, whatever it was made for.
func TestSessionIsTakenUpOnTheWayThatWasChosen(t *testing.T) {
	t.Parallel()
	onALine(t, stage.LineOptions{Baud: 19200}, stage.Machine{Untold: true}, func(s atALine) {
		s.Strike("s", "s")
		s.Connect()
		s.Ask("/say before")
		s.Reset()
		s.Wait("A session from before is still there", time.Second)
		s.Wait("link     serial, 19200 baud", time.Second)
		s.Strike("RETURN")
		s.WaitPaper("before", patience)
		s.Settled()
		s.Ask("/say after")
		sameText(s.T, s.Paper.Said(), "> /say before before > /say after after")
	})
}

// A program that is to choose takes the network where there is an Ultimate.
func TestProgramThatMayChooseTakesTheNetworkIfItCan(t *testing.T) {
	t.Parallel()
	b := stage.Open(t, stage.BridgeOptions{})
	for words, m := range map[string]stage.Machine{
		"ultimate network (uci)": {Choose: true},
		"serial, 38400 baud":     {Choose: true, NoUCI: true},
	} {
		stage.Boot(t, b.Addr, m).Wait(words, time.Second)
	}
}

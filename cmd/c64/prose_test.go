package main_test

import (
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/c64prg/machine/uci"
	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
)

// prose is 8 KiB, and no word of it is longer than a line.
const prose = "/big 8"

func TestProseArrivesWholeOnEveryMachine(t *testing.T) {
	t.Parallel()
	want := stage.Story(stage.Open(t, stage.BridgeOptions{}).Tell(prose))
	onEveryMachine(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{})
		m.Seed = seed(t) // of what RAM holds before
		c := stage.Boot(t, b.Addr, m)
		c.Connect()
		c.Ask(prose)
		sameText(t, c.Paper.Said(), want)
		sameScreen(t, c)
		if n := c.Dials.Load(); n != 1 {
			t.Errorf("the line was opened %d times; the program gave a good one up", n)
		}
	})
}

func TestProseArrivesWholeInPiecesAndLate(t *testing.T) {
	t.Parallel()
	want := stage.Story(stage.Open(t, stage.BridgeOptions{}).Tell(prose))
	for name, f := range map[string]struct {
		bytes    int
		gap, lag time.Duration
	}{
		"a byte at a time": {bytes: 1, gap: 500 * time.Microsecond},
		"seven bytes":      {bytes: 7, gap: 3 * time.Millisecond},
		"ninety-five":      {bytes: 95, gap: 40 * time.Millisecond},
		"late":             {lag: 700 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := stage.Open(t, stage.BridgeOptions{})
			c := stage.Boot(t, b.Addr, stage.Machine{})
			c.M.UCI().Fragment(f.bytes, f.gap)
			c.M.UCI().Lag(f.lag)
			c.Connect()
			c.Ask(prose)
			sameText(t, c.Paper.Said(), want)
		})
	}
}

// In turbo an access to the interface that comes too soon is lost.
func TestProseArrivesWholeInTurbo(t *testing.T) {
	t.Parallel()
	want := stage.Story(stage.Open(t, stage.BridgeOptions{}).Tell(prose))
	for name, m := range map[string]stage.Machine{
		"2 MHz":           {Turbo: 2},
		"4 MHz":           {Turbo: 4},
		"48 MHz":          {Turbo: 48},
		"4 MHz for good":  {Turbo: 4, Fixed: true},
		"48 MHz for good": {Turbo: 48, Fixed: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := stage.Open(t, stage.BridgeOptions{})
			c := stage.Boot(t, b.Addr, m)
			c.Connect()
			c.Ask(prose)
			sameText(t, c.Paper.Said(), want)
			sameScreen(t, c)
		})
	}
}

// The turbo's switch is in the Ultimate's menu, and may be moved at any time:
// while nothing is connected, before a line is closed, between two turns.
func TestTurboMayBeSwitchedAtAnyTime(t *testing.T) {
	t.Parallel()
	for i, p := range uci.Profiles() {
		if !long && i%3 != 0 { // 3.10, 3.12a and the newest
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			b := stage.Open(t, stage.BridgeOptions{})
			c := stage.Boot(t, b.Addr, stage.Machine{Firmware: p.Name})
			shift := func(mhz int) {
				c.M.SetTurbo(mhz)
				c.Let(100 * time.Millisecond)
				c.M.ClearNotes() // one look at the interface comes too soon, and tells it
			}
			c.M.UCI().LeaveData([]byte("an earlier program's"))
			shift(48)
			c.Connect()
			for _, mhz := range []int{1, 64, 2, 16, 1, 4} {
				shift(mhz)
				c.Ask("/stream 200")
			}
			c.M.UCI().Refuse(true)
			c.Cut(uci.Close)
			c.Until("the line is known to be down", patience, func() bool { return !strings.Contains(c.Title(), "ON LINE") })
			shift(32)
			c.M.UCI().Refuse(false)
			c.Settled()
			c.Ask("/say at 32 MHz")
			if got := len(b.Prompts()); got != 7 {
				t.Errorf("the agent got %d prompts", got)
			}
		})
	}
}

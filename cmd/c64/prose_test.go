package main_test

import (
	"testing"
	"time"

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

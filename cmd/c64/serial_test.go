package main_test

import (
	"testing"
	"testing/synctest"

	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
)

// onALine runs a test of a C64 at a serial line, whose time is the bridge's.
func onALine(t *testing.T, o stage.LineOptions, m stage.Machine, f func(t *testing.T, b *stage.Bridge, c *stage.C64, l *stage.Line)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := stage.NewLine(t, o)
		b := stage.Open(t, stage.BridgeOptions{Line: l})
		m.NoUCI, m.Line = true, l
		f(t, b, stage.Boot(t, b.Addr, m), l)
	})
}

func TestTalkOverASerialLineIsTheOneOverTheNetwork(t *testing.T) {
	want := undisturbed(t)
	for _, std := range []machine.Standard{machine.PAL, machine.NTSC} {
		t.Run(std.Name, func(t *testing.T) {
			onALine(t, stage.LineOptions{}, stage.Machine{Standard: std}, func(t *testing.T, b *stage.Bridge, c *stage.C64, l *stage.Line) {
				talk(b, c, func(moment) {})
				played(t, b, c, want)
			})
		})
	}
}

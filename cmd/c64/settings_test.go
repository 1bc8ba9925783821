package main_test

import (
	"testing"

	"github.com/prompt64/prompt64/c64prg/machine/uci"
	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
)

// readOnly chooses the access in the settings, and goes back to the chat.
func readOnly(c *stage.C64) {
	c.Strike("F3")
	c.Wait("SETTINGS", patience)
	c.Strike("DOWN", "LEFT")
	c.Wait("access: read only.", patience)
	c.Strike("STOP")
	c.Wait("RETURN send", patience)
}

// A fresh lease begins with the bridge's own access. What the user has chosen
// must be set before the first prompt, also when the line is cut meanwhile:
// else an agent would ask where it must not even try.
func TestAccessThatWasChosenHoldsOnAFreshLeaseWhereverItsSetupIsCut(t *testing.T) {
	t.Parallel()
	for name, bytes := range map[string]int{
		"after LeaseState": helloOkSize + leaseSize,
		"in the settings":  helloOkSize + leaseSize + 2,
		"in the access":    helloOkSize + leaseSize + 8,
		"in the rows":      helloOkSize + leaseSize + 40,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := stage.Open(t, stage.BridgeOptions{})
			c := stage.Boot(t, b.Addr, stage.Machine{})
			c.Connect()
			readOnly(c)
			c.Ask("/write a.txt one")
			c.WaitPaper("access is read only", patience)
			c.Strike("STOP", "y")
			c.Wait("RETURN connect", patience)
			c.CutAfter(bytes, uci.In, uci.Close)
			c.Connect()
			c.Ask("/write b.txt two")
			c.WaitPaper("I may not write b.txt: access is read only", patience)
			if b.File("a.txt")+b.File("b.txt") != "" {
				t.Error("a file was written")
			}
			if n := c.Dials.Load(); n != 3 {
				t.Errorf("the line was opened %d times; it was to be cut once", n)
			}
		})
	}
}

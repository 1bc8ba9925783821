package main_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
)

// note is what the SID was told to begin.
type note struct {
	wave      byte
	frequency uint16
}

// tune reads a log: the notes that were begun, from the first one's beginning to
// the gate's end, and whether the gate is shut at the end.
func tune(log []machine.SIDWrite, hz uint64) (notes []note, took time.Duration, shut bool) {
	var regs [25]byte
	var began uint64
	shut = true
	for _, w := range log {
		regs[w.Reg] = w.Value
		if w.Reg != 4 {
			continue
		}
		if gate := w.Value&1 != 0; gate {
			if len(notes) == 0 {
				began = w.Cycle
			}
			notes = append(notes, note{w.Value, uint16(regs[0]) | uint16(regs[1])<<8})
			shut = false
		} else {
			shut = true
			took = time.Duration(w.Cycle-began) * time.Second / time.Duration(hz)
		}
	}
	return notes, took, shut
}

// heard runs something, and two seconds, and returns what sounded.
func heard(t *testing.T, c *stage.C64, name string, do func()) string {
	t.Helper()
	c.M.ClearSID()
	do()
	c.Let(2 * time.Second)
	notes, took, shut := tune(c.M.SIDLog(), c.M.Standard().Hz)
	if !shut {
		t.Errorf("%s: the gate is stuck", name)
	}
	if took > time.Second {
		t.Errorf("%s takes %s", name, took)
	}
	return fmt.Sprint(notes)
}

func loud(c *stage.C64) {
	c.Strike("F2")
	c.Wait("SOUND ON", patience)
	c.Let(4 * time.Second)
}

func TestEachTuneIsItsOwnShortAndEnds(t *testing.T) {
	t.Parallel()
	onBothStandards(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{})
		c := stage.Boot(t, b.Addr, m)
		c.Connect()
		loud(c)
		tunes := map[string]string{}
		for name, do := range map[string]func(){
			"approval": func() { c.Keys(runPrompt + "\n"); c.Asked() },
			"done":     func() { c.Ask("/say well") },
			"failed":   func() { c.Keys("/fail badly\n"); c.WaitPaper("! failed: badly", patience) },
		} {
			got := heard(t, c, name, do)
			if name == "approval" {
				c.Strike("d")
				c.WaitPaper("You declined", patience)
				c.Let(2 * time.Second)
			}
			if strings.Count(got, "{") < 2 {
				t.Errorf("%s is no tune: %s", name, got)
			}
			for other, it := range tunes {
				if it == got {
					t.Errorf("%s sounds like %s: %s", name, other, got)
				}
			}
			tunes[name] = got
		}
	})
}

// An approval that nobody answers is heard again every twenty seconds.
func TestApprovalSoundsAgainUntilItIsAnswered(t *testing.T) {
	t.Parallel()
	b := stage.Open(t, stage.BridgeOptions{})
	c := stage.Boot(t, b.Addr, stage.Machine{})
	c.Connect()
	loud(c)
	c.M.ClearSID()
	c.Keys(runPrompt + "\n")
	c.Asked()
	c.Let(45 * time.Second)
	notes, _, _ := tune(c.M.SIDLog(), machine.PAL.Hz)
	if len(notes) != 3*3 {
		t.Errorf("in 45 seconds %d notes sounded: %v", len(notes), notes)
	}
	c.Strike("a")
	c.Settled()
	c.Let(2 * time.Second)
	c.M.ClearSID()
	c.Let(25 * time.Second)
	if log := c.M.SIDLog(); len(log) != 0 {
		t.Errorf("it was answered, and the SID was told %v", log)
	}
}

func TestSoundThatIsSwitchedOffEndsAtOnceAndStaysOff(t *testing.T) {
	t.Parallel()
	b := stage.Open(t, stage.BridgeOptions{})
	c := stage.Boot(t, b.Addr, stage.Machine{})
	c.Connect()
	c.M.ClearSID()
	c.Strike("F2", "F2") // on, which sounds, and off
	c.Let(100 * time.Millisecond)
	notes, _, shut := tune(c.M.SIDLog(), machine.PAL.Hz)
	if len(notes) == 0 || !shut {
		t.Errorf("it plays on: %v", c.M.SIDLog())
	}
	c.M.ClearSID()
	c.Keys(runPrompt + "\n")
	c.Accept()
	c.Settled()
	c.Ask("/fail quietly")
	if log := c.M.SIDLog(); len(log) != 0 {
		t.Errorf("sound is off, and the SID was told %v", log)
	}
}

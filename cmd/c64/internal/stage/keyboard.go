package stage

import (
	"time"

	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/c64prg/machine/drive"
)

// Let lets emulated time pass.
func (c *C64) Let(d time.Duration) {
	c.t.Helper()
	for end := c.Now() + d; c.Now() < end; {
		c.must(c.RunFrames(1))
		c.look()
	}
}

// look takes over what has changed.
func (c *C64) look() {
	c.Paper.look()
	if n := c.Dials.Load(); n != c.told {
		c.told = n
		if c.Dialled != nil {
			c.Dialled()
		}
	}
}

// Until lets time pass until ok, at most for a time.
func (c *C64) Until(what string, within time.Duration, ok func() bool) {
	c.t.Helper()
	c.must(c.WaitFor(what, within, func(*drive.Screen) bool {
		c.look()
		return ok()
	}))
}

// Wait waits for words on the screen.
func (c *C64) Wait(words string, within time.Duration) {
	c.t.Helper()
	c.Until("words "+words, within, func() bool { return c.Screen().Has(words) })
}

// WaitPaper waits for words in the transcript, whether they are in view or not.
func (c *C64) WaitPaper(words string, within time.Duration) {
	c.t.Helper()
	want := Ink(words)
	c.Until("transcript with "+words, within, func() bool { return contains(Ink(c.Paper.Text()), want) })
}

// Keys types text; "\n" is RETURN.
func (c *C64) Keys(text string) {
	c.t.Helper()
	for _, r := range text {
		c.must(c.Type(string(r)))
		c.look()
	}
}

// Strike presses keys by their names, one after the other.
func (c *C64) Strike(names ...string) {
	c.t.Helper()
	for _, n := range names {
		keys, err := drive.KeyNamed(n)
		c.must(err)
		c.must(c.Press(keys...))
		c.look()
	}
}

// Title and Status are the rows that say how the line and the agent are.
func (c *C64) Title() string { return c.Screen().Line(0) }

// Status is the status line.
func (c *C64) Status() string { return c.Screen().Line(21) }

// Editor is what the prompt editor shows, or the hints in its place.
func (c *C64) Editor() string {
	s := c.Screen()
	return s.Line(22) + "\n" + s.Line(23) + "\n" + s.Line(24)
}

// Connect presses RETURN on the connect screen and waits for the chat, up to the
// agent's name in the title, which is the last thing that a fresh lease asks for.
func (c *C64) Connect() {
	c.t.Helper()
	c.Strike("RETURN")
	c.Until("the agent's name", c.settle, func() bool { return contains(c.Title(), c.agent) })
	c.Settled()
}

// Settled waits until the line is up and no turn runs.
func (c *C64) Settled() {
	c.t.Helper()
	c.Until("on line and ready", c.settle, func() bool {
		return c.OnLine() && contains(c.Status(), "READY")
	})
}

// OnLine says whether the title says so.
func (c *C64) OnLine() bool {
	if c.line != nil {
		return contains(c.Title(), "SERIAL")
	}
	return contains(c.Title(), "ON LINE")
}

// settleTime is emulated, and longer than any recovery takes: a READ of four
// seconds, an open of twenty, a heartbeat, two tries five seconds apart.
const settleTime = 3 * time.Minute

// Accept waits for an approval with all its detail, and for the end of the half
// second in which keys are no answer, and presses A.
func (c *C64) Accept() {
	c.t.Helper()
	c.Asked()
	c.Strike("a")
}

// Asked waits until an approval can be answered.
func (c *C64) Asked() {
	c.t.Helper()
	c.Wait("A accept once", c.settle)
	c.Let(600 * time.Millisecond)
}

// Ask types a prompt, sends it, and waits until its turn is over.
func (c *C64) Ask(prompt string) {
	c.t.Helper()
	c.Keys(prompt + "\n")
	c.WaitPaper("> "+prompt, c.settle)
	c.Settled()
}

// Roll types as a fast typist does: each key goes down before the one before it
// is let go. Letters and signs without SHIFT only.
func (c *C64) Roll(text string, press, gap time.Duration) {
	c.t.Helper()
	var held machine.Key
	for i, r := range text {
		keys, ok := drive.RuneKeys(r)
		if !ok || len(keys) != 1 {
			c.t.Fatalf("stage: roll: %q needs SHIFT or has no key", r)
		}
		c.M.KeyDown(keys[0])
		c.Let(press)
		if i > 0 && held != keys[0] {
			c.M.KeyUp(held)
		}
		c.Let(gap)
		held = keys[0]
	}
	c.M.KeyUp(held)
	c.Let(gap)
}

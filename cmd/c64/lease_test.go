package main_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/c64prg/machine/uci"
	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
)

// away keeps the C64 off the network until the bridge has let its lease go.
func away(b *stage.Bridge, c *stage.C64) {
	c.M.UCI().Refuse(true)
	c.Cut(uci.Reset)
	c.Until("the line is known to be down", patience, func() bool { return !strings.Contains(c.Title(), "ON LINE") })
	b.Forgets()
}

// shortLife is a lifetime that a test can outwait.
const shortLife = 150 * time.Millisecond

func TestPromptThatALostLeaseNeverTookIsInTheEditorAgain(t *testing.T) {
	t.Parallel()
	onSomeMachines(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{Lifetime: shortLife})
		c := stage.Boot(t, b.Addr, m)
		c.Connect()
		c.Ask("/say one")
		c.Keys("/say two")
		c.M.UCI().Refuse(true)
		c.CutAfter(4, uci.Out, uci.Reset) // the prompt's header and no more
		c.Keys("\n")
		away(b, c)
		c.M.UCI().Refuse(false)
		c.WaitPaper("The session ended while the line was down.", patience)
		c.Let(time.Second)
		if !strings.HasPrefix(c.Editor(), "> /say two") {
			t.Errorf("the editor has %q", c.Editor())
		}
		if !strings.Contains(c.Paper.Text(), "one") {
			t.Error("the transcript is gone")
		}
		c.Let(15 * time.Second)
		if got := b.Prompts(); len(got) != 1 {
			t.Fatalf("the agent got %q: a prompt was sent to a fresh lease by itself", got)
		}
		c.Strike("RETURN")
		c.Settled()
		c.Strike("RETURN")
		c.WaitPaper("Say what is to be done. > /say two two", patience)
	})
}

func TestLeaseLostWhileIdleIsSaidAndAKeyBeginsAnew(t *testing.T) {
	t.Parallel()
	onSomeMachines(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{Lifetime: shortLife})
		c := stage.Boot(t, b.Addr, m)
		c.Connect()
		c.Ask("/say one")
		away(b, c)
		c.M.UCI().Refuse(false)
		c.Wait("LEASE EXPIRED - RETURN BEGINS ANEW", patience)
		c.Let(10 * time.Second)
		if !c.Screen().Has("LEASE EXPIRED") {
			t.Error("it went on by itself")
		}
		c.Strike("RETURN")
		c.Settled()
		c.Ask("/say two")
		c.WaitPaper("one The session ended", patience)
		c.WaitPaper("> /say two two", patience)
	})
}

// An approval whose lease is gone must not be answered any more.
func TestApprovalOfALostLeaseIsGone(t *testing.T) {
	t.Parallel()
	onSomeMachines(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{Lifetime: shortLife})
		c := stage.Boot(t, b.Addr, m)
		c.Connect()
		c.Keys(runPrompt + "\n")
		c.Asked()
		away(b, c)
		c.Strike("a") // on its way when the lease is found to be gone
		c.M.UCI().Refuse(false)
		c.Wait("LEASE EXPIRED - RETURN BEGINS ANEW", patience)
		if c.Screen().Has("THE AGENT ASKS") {
			t.Error("the window is still there")
		}
		c.Strike("RETURN")
		c.Settled()
		c.Let(5 * time.Second)
		if got := b.Decisions(); len(got) != 0 || b.File("log") != "" {
			t.Errorf("the agent got %v and left %q", got, b.File("log"))
		}
	})
}

func TestConnectionIntoABlackHoleComesThroughOnceItIsMended(t *testing.T) {
	t.Parallel()
	onSomeMachines(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{})
		c := stage.Boot(t, b.Addr, m)
		c.Cut(uci.BlackHole)
		c.Strike("RETURN")
		c.Wait("No answer from that address", patience)
		c.Mend()
		c.Settled()
		c.Ask("/say through")
		c.WaitPaper("through", patience)
	})
}

func TestLeaseInUseIsTriedAgainUntilItIsFree(t *testing.T) {
	t.Parallel()
	for _, std := range []machine.Standard{machine.PAL, machine.NTSC} {
		t.Run(std.Name, func(t *testing.T) {
			t.Parallel()
			b := stage.Open(t, stage.BridgeOptions{Stale: 6 * time.Second})
			c := stage.Boot(t, b.Addr, stage.Machine{Standard: std})
			c.Connect()
			b.Gate.Shut()
			c.Keys("/slow 3 100\n")
			c.WaitPaper("delta 1", patience)
			c.CutAfter(0, uci.In, uci.BlackHole)
			c.Wait("LEASE IN USE", patience)
			c.Until("a countdown", patience, func() bool { return strings.Contains(c.Title(), "WAIT ") })
			b.Gate.Open()
			b.Misses()
			c.Settled()
			c.WaitPaper("delta 1 delta 2 delta 3", patience)
			if strings.Count(c.Paper.Text(), "delta 1") != 1 {
				t.Errorf("text was doubled:\n%s", c.Paper.Text())
			}
		})
	}
}

func TestPromptTypedWhileTheLineIsDownIsSentOnce(t *testing.T) {
	t.Parallel()
	onEveryMachine(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{})
		c := stage.Boot(t, b.Addr, m)
		c.Connect()
		c.Ask("/say one")
		c.M.UCI().Refuse(true)
		c.Cut(uci.Close)
		c.Until("the line is known to be down", patience, func() bool { return !strings.Contains(c.Title(), "ON LINE") })
		c.Keys("/say two\n")
		c.Wait("UNSENT", patience)
		c.Let(8 * time.Second)
		c.M.UCI().Refuse(false)
		c.WaitPaper("> /say two two", patience)
		c.Settled()
		if got := strings.Join(b.Prompts(), ","); got != "/say one,/say two" {
			t.Errorf("the agent got %q", got)
		}
	})
}

// A reset leaves the Ultimate's sockets and the record in RAM alone. The program
// that starts again shows what was said before, and the running turn from its
// prompt on, which only the C64 still knows.
func TestResetInMidTurnShowsTheWholeTurnAgain(t *testing.T) {
	t.Parallel()
	onEveryMachine(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{})
		c := stage.Boot(t, b.Addr, m)
		c.Connect()
		c.Ask("/say before")
		b.Gate.Shut()
		c.Keys("/slow 8 100\n")
		b.Gate.Pass(3)
		c.WaitPaper("delta 4", patience)
		c.Reset()
		c.Wait("A session from before is still there", patience)
		c.Strike("RETURN")
		c.WaitPaper("delta 4", patience)
		b.Gate.Open()
		c.WaitPaper("delta 8", patience)
		c.Settled()
		want := stage.Story(stage.Open(t, stage.BridgeOptions{}).Tell("/say before", "/slow 8 100"))
		sameText(t, c.Paper.Said(), want)
		if got := b.Prompts(); len(got) != 2 {
			t.Errorf("the agent got %q", got)
		}
		c.Ask("/say after")
		sameText(t, c.Paper.Said(), want+"\n> /say after after")
	})
}

// Taking a lease up is two connections, one for what was said before and one for
// the turn; either may be cut as well.
func TestCutWhileALeaseIsTakenUpLosesNothing(t *testing.T) {
	t.Parallel()
	want := stage.Story(stage.Open(t, stage.BridgeOptions{}).Tell("/say before", "/slow 8 100", "/say after"))
	all := machines()
	for i, bytes := range []int{0, 5, helloOkSize, helloOkSize + 9, helloOkSize + 23, helloOkSize + 30, helloOkSize + 45, helloOkSize + 57} {
		for j, how := range kinds {
			m := all[(i*len(kinds)+j)%len(all)]
			t.Run(fmt.Sprintf("%d bytes/%s/%s", bytes, how.name, m.name), func(t *testing.T) {
				t.Parallel()
				b := stage.Open(t, stage.BridgeOptions{})
				c := stage.Boot(t, b.Addr, m.Machine)
				c.Connect()
				c.Ask("/say before")
				b.Gate.Shut()
				c.Keys("/slow 8 100\n")
				b.Gate.Pass(3)
				c.WaitPaper("delta 4", patience)
				c.Reset()
				// The line of before is closed first, and is not the one to cut.
				c.M.UCI().Refuse(true)
				c.Strike("RETURN")
				c.Wait("nothing listens", patience)
				c.M.UCI().Refuse(false)
				c.CutAfter(bytes, uci.In, how.kind)
				before := c.Dials.Load()
				c.WaitPaper("delta 4", patience)
				b.Gate.Open()
				c.WaitPaper("delta 8", patience)
				c.Settled()
				c.Ask("/say after")
				sameText(t, c.Paper.Said(), want)
				if n := c.Dials.Load() - before; n < 3 {
					t.Errorf("the line was opened %d times: it was never cut", n)
				}
			})
		}
	}
}

func TestResetBeforeAnApprovalShowsItAgain(t *testing.T) {
	t.Parallel()
	onEveryMachine(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{})
		c := stage.Boot(t, b.Addr, m)
		c.Connect()
		c.Keys(runPrompt + "\n")
		c.Asked()
		c.Reset()
		c.Strike("RETURN")
		c.Accept()
		c.Settled()
		want := stage.Story(stage.Open(t, stage.BridgeOptions{}).Tell(runPrompt))
		sameText(t, c.Paper.Said(), want)
		if got := b.File("log"); got != "once" {
			t.Errorf("the command left %q", got)
		}
	})
}

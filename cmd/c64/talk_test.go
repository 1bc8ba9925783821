package main_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
	"github.com/prompt64/prompt64/frames"
)

// moment is a point in a talk at which a test may break the line.
type moment int

const (
	beforeConnect moment = iota // RETURN on the connect screen comes next
	online
	beforeSlow  // RETURN behind the first prompt comes next
	midStream   // two of six deltas have been said
	beforeEnd   // the last delta comes next, and the end of the turn behind it
	beforeRun   // RETURN behind the second prompt comes next
	beforeShown // the approval has been raised by the agent, and may be on its way
	beforeA     // the approval can be answered; A comes next
	moments
)

// The talk's prompts: text that streams, then a command that needs an approval
// and leaves a line in a file each time that it is run.
const (
	slowPrompt = "/slow 6 100"
	runPrompt  = "/run sh -c 'echo once >>log'"
)

// talk plays both prompts; at each moment it calls at.
func talk(b *stage.Bridge, c *stage.C64, at func(moment)) {
	b.Gate.Shut()
	at(beforeConnect)
	c.Connect()
	at(online)
	c.Keys(slowPrompt)
	at(beforeSlow)
	c.Keys("\n")
	b.Gate.Pass(1)
	c.WaitPaper("delta 2", patience)
	at(midStream)
	b.Gate.Pass(3)
	c.WaitPaper("delta 5", patience)
	at(beforeEnd)
	b.Gate.Open()
	c.WaitPaper("delta 6", patience)
	c.Settled()
	c.Keys(runPrompt)
	at(beforeRun)
	c.Keys("\n")
	at(beforeShown)
	c.Asked()
	at(beforeA)
	c.Accept()
	c.WaitPaper("Exit code 0.", patience)
	c.Settled()
}

// patience is emulated: longer than any recovery takes.
const patience = 3 * time.Minute

// played checks what must be true after a talk, whatever happened to the line.
func played(t *testing.T, b *stage.Bridge, c *stage.C64, want []string) {
	t.Helper()
	if diff := cmp.Diff(want, c.Paper.Rows()); diff != "" {
		t.Errorf("the transcript is not the one without cuts (-want +got):\n%s", diff)
	}
	sameScreen(t, c)
	if got := b.Prompts(); !slices.Equal(got, []string{slowPrompt, runPrompt}) {
		t.Errorf("the agent got the prompts %q", got)
	}
	if got := b.Decisions(); !slices.Equal(got, []frames.Decision{frames.AcceptOnce}) {
		t.Errorf("the agent got the decisions %v", got)
	}
	if got := b.File("log"); got != "once" {
		t.Errorf("the command left %q", got)
	}
}

// undisturbed is the transcript of a talk on a line that holds, checked against
// what a scripted client receives.
func undisturbed(t *testing.T) []string {
	t.Helper()
	b := stage.Open(t, stage.BridgeOptions{})
	c := stage.Boot(t, b.Addr, stage.Machine{})
	talk(b, c, func(moment) {})
	want := stage.Open(t, stage.BridgeOptions{}).Tell(slowPrompt, runPrompt)
	sameText(t, c.Paper.Said(), stage.Story(want))
	rows := c.Paper.Rows()
	played(t, b, c, rows)
	return rows
}

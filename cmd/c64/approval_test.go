package main_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/c64prg/machine/uci"
	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
	"github.com/prompt64/prompt64/frames"
)

func TestAnswerKeysMeanWhatTheWindowSays(t *testing.T) {
	t.Parallel()
	for name, a := range map[string]struct {
		keys  []string
		want  []frames.Decision
		words string
		log   string
	}{
		"A":                     {[]string{"a"}, []frames.Decision{frames.AcceptOnce}, "Exit code 0.", "once"},
		"SHIFT and A":           {[]string{"A"}, []frames.Decision{frames.AcceptOnce}, "Exit code 0.", "once"},
		"S twice":               {[]string{"s", "s"}, []frames.Decision{frames.AcceptForSession}, "Exit code 0.", "once"},
		"S taken back, then D":  {[]string{"s", "x", "d"}, []frames.Decision{frames.Decline}, "You declined", ""},
		"S taken back by A":     {[]string{"s", "a", "a"}, []frames.Decision{frames.AcceptOnce}, "Exit code 0.", "once"},
		"S taken back by STOP":  {[]string{"s", "STOP", "a"}, []frames.Decision{frames.AcceptOnce}, "Exit code 0.", "once"},
		"D":                     {[]string{"d"}, []frames.Decision{frames.Decline}, "You declined", ""},
		"C":                     {[]string{"c"}, []frames.Decision{frames.CancelTurn}, "cancelled", ""},
		"STOP":                  {[]string{"STOP"}, nil, "cancelled", ""},
		"other keys, then A":    {[]string{"x", "1", "RETURN", "SPACE", "a"}, []frames.Decision{frames.AcceptOnce}, "Exit code 0.", "once"},
		"A twice is not a text": {[]string{"a", "a"}, []frames.Decision{frames.AcceptOnce}, "Exit code 0.", "once"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := stage.Open(t, stage.BridgeOptions{})
			c := stage.Boot(t, b.Addr, stage.Machine{})
			c.Connect()
			c.Keys(runPrompt + "\n")
			c.Asked()
			c.Strike(a.keys...)
			c.WaitPaper(a.words, patience)
			c.Settled()
			if got := b.Decisions(); name != "STOP" && !slices.Equal(got, a.want) {
				t.Errorf("the agent got %v, want %v", got, a.want)
			}
			if got := b.File("log"); got != a.log {
				t.Errorf("the command left %q, want %q", got, a.log)
			}
		})
	}
}

func TestAcceptingForTheSessionAsksNoMore(t *testing.T) {
	t.Parallel()
	b := stage.Open(t, stage.BridgeOptions{})
	c := stage.Boot(t, b.Addr, stage.Machine{})
	c.Connect()
	c.Keys(runPrompt + "\n")
	c.Asked()
	c.Strike("s")
	c.Wait("S again: it will not ask any more", time.Second)
	c.Strike("s")
	c.Settled()
	c.Ask(runPrompt)
	if got := b.File("log"); got != "once\nonce" {
		t.Errorf("the command left %q", got)
	}
}

// Keys that were on their way when an approval appeared are no answer to it.
func TestKeysTypedBeforeAnApprovalAreNoAnswer(t *testing.T) {
	t.Parallel()
	onSomeMachines(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{})
		c := stage.Boot(t, b.Addr, m)
		c.Connect()
		c.M.UCI().Lag(1500 * time.Millisecond)
		c.Keys(runPrompt + "\n")
		for n := 0; !c.Screen().Has("THE AGENT ASKS"); n++ {
			if n == longest {
				t.Fatal("there is no approval")
			}
			c.Strike("a")
		}
		c.Strike("a", "a") // within the half second
		c.Let(6 * time.Second)
		if got := b.Decisions(); len(got) != 0 {
			t.Fatalf("the agent got %v", got)
		}
		c.Strike("d")
		c.WaitPaper("You declined", patience)
		c.Settled()
		if ed := c.Editor(); !strings.HasPrefix(ed, "> aaa") {
			t.Errorf("what was typed before is not in the editor: %q", ed)
		}
	})
}

func TestSecondApprovalIsNotAnsweredByTheFirstOnesKeys(t *testing.T) {
	t.Parallel()
	onSomeMachines(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{})
		c := stage.Boot(t, b.Addr, m)
		c.Connect()
		c.Keys("/two\n")
		c.Wait("Pretend: first", patience)
		c.Accept()
		c.Wait("Pretend: second", patience)
		c.Strike("a")
		c.Let(3 * time.Second)
		if got := b.Decisions(); !slices.Equal(got, []frames.Decision{frames.AcceptOnce}) {
			t.Fatalf("the agent got %v", got)
		}
		c.Asked()
		c.Strike("d")
		c.WaitPaper("The first is accepted. the second is declined.", patience)
		c.Settled()
	})
}

func TestApprovalThatGoesAwayTakesItsWindowAlong(t *testing.T) {
	t.Parallel()
	onSomeMachines(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{})
		c := stage.Boot(t, b.Addr, m)
		c.Connect()
		b.Gate.Shut()
		c.Keys("/gone\n")
		c.Asked()
		calm := c.Screen().Border
		b.Gate.Open()
		c.WaitPaper("The question went away by itself.", patience)
		c.Settled()
		if s := c.Screen(); s.Has("THE AGENT ASKS") || s.Border == calm {
			t.Error("the window, or its border, is still there")
		}
		if got := b.Decisions(); len(got) != 0 {
			t.Errorf("the agent got %v", got)
		}
	})
}

func TestDraftInTheEditorSurvivesAnApproval(t *testing.T) {
	t.Parallel()
	b := stage.Open(t, stage.BridgeOptions{})
	c := stage.Boot(t, b.Addr, stage.Machine{})
	c.Connect()
	c.M.UCI().Lag(3 * time.Second)
	c.Keys(runPrompt + "\nnext thing")
	c.Accept()
	c.Settled()
	if ed := c.Editor(); !strings.HasPrefix(ed, "> next thing") {
		t.Errorf("the editor has %q", ed)
	}
}

func TestAnswerGivenWhileTheLineIsDownIsAppliedOnce(t *testing.T) {
	t.Parallel()
	onSomeMachines(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{})
		c := stage.Boot(t, b.Addr, m)
		c.Connect()
		c.Keys(runPrompt + "\n")
		c.Asked()
		c.Cut(uci.BlackHole) // for new connections too
		c.Strike("a")
		c.Until("the line is known to be down", patience, func() bool { return !strings.Contains(c.Title(), "ON LINE") })
		c.Let(9 * time.Second)
		c.Mend()
		c.WaitPaper("Exit code 0.", patience)
		c.Settled()
		if got := b.Decisions(); !slices.Equal(got, []frames.Decision{frames.AcceptOnce}) {
			t.Errorf("the agent got %v", got)
		}
		if got := b.File("log"); got != "once" {
			t.Errorf("the command left %q", got)
		}
	})
}

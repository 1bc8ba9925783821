package main_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/c64prg/machine/drive"
	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
)

func TestFastTypistLosesNoKeyWhileTextStreams(t *testing.T) {
	t.Parallel()
	const much = "/stream 48000"
	const typed = "the quick brown fox jumps over the lazy dog and types on and on"
	want := stage.Story(stage.Open(t, stage.BridgeOptions{}).Tell(much))
	onEveryMachine(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{})
		c := stage.Boot(t, b.Addr, m)
		c.Connect()
		c.Keys(much + "\n")
		c.WaitPaper("Sentence 2:", patience)
		c.Roll(typed, 40*time.Millisecond, 25*time.Millisecond)
		if !strings.Contains(c.Status(), "WORKING") {
			t.Fatalf("the turn was over too soon for this test: %s", c.Status())
		}
		c.Strike("RETURN")
		if got := c.Status(); !strings.Contains(got, "STILL WORKING") {
			t.Errorf("RETURN in a turn: the status says %q", got)
		}
		c.Settled()
		sameText(t, c.Paper.Said(), want)
		c.Keys("\n")
		c.Settled()
		if diff := cmp.Diff([]string{much, typed}, b.Prompts()); diff != "" {
			t.Errorf("the agent's prompts (-want +got):\n%s", diff)
		}
	})
}

// latency is how many frames a key may take to the screen: it is looked at twice
// against bounces, and drawn in the frame after.
const latency = 3

func TestKeyShowsAtOnceWhileTextStreams(t *testing.T) {
	t.Parallel()
	onEveryMachine(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{})
		c := stage.Boot(t, b.Addr, m)
		c.Connect()
		c.Keys("/stream 12000\n")
		c.WaitPaper("Sentence 2:", patience)
		typed := ""
		for _, k := range []machine.Key{machine.KeyS, machine.KeyL, machine.KeyO, machine.KeyW} {
			typed += strings.ToLower("slow"[len(typed) : len(typed)+1])
			c.M.KeyDown(k)
			frames := 0
			for ; !strings.HasPrefix(c.Editor(), "> "+typed) && frames < 50; frames++ {
				c.Let(time.Millisecond)
			}
			c.M.KeyUp(k)
			c.Let(100 * time.Millisecond)
			if frames > latency {
				t.Errorf("%q came after %d frames", typed, frames)
			}
		}
		if strings.Contains(c.Status(), "READY") {
			t.Error("the turn was over too soon for this test")
		}
	})
}

func TestEditorKeysChangeTheTextAsTheySay(t *testing.T) {
	t.Parallel()
	for name, e := range map[string]struct {
		do   func(c *stage.C64)
		want string
	}{
		"cursor and insert": {func(c *stage.C64) {
			c.Keys("/say ac")
			c.Strike("LEFT")
			c.Keys("b")
		}, "/say abc"},
		"delete": {func(c *stage.C64) {
			c.Keys("/say abxc")
			c.Strike("LEFT", "DEL")
		}, "/say abc"},
		"home": {func(c *stage.C64) {
			c.Keys("say abc")
			c.Strike("HOME")
			c.Keys("/")
		}, "/say abc"},
		"clear": {func(c *stage.C64) {
			c.Keys("nonsense")
			c.Strike("CLR")
			c.Keys("/say abc")
		}, "/say abc"},
		"insert a blank": {func(c *stage.C64) {
			c.Keys("/sayabc")
			c.Strike("LEFT", "LEFT", "LEFT", "INST")
		}, "/say abc"},
		"right": {func(c *stage.C64) {
			c.Keys("/say ab")
			c.Strike("LEFT", "LEFT", "RIGHT", "RIGHT")
			c.Keys("c")
		}, "/say abc"},
		"a line break": {func(c *stage.C64) {
			c.Keys("/say abc")
			c.Strike("SHIFT+RETURN")
			c.Keys("def")
		}, "/say abc\ndef"},
		"recall": {func(c *stage.C64) {
			c.Ask("/say one")
			c.Ask("/say two")
			c.Strike("UP", "UP")
			c.Keys("!")
		}, "/say one!"},
		"recall again after a clear": {func(c *stage.C64) {
			c.Ask("/say one")
			c.Strike("UP", "CLR", "UP")
			c.Keys("!")
		}, "/say one!"},
		"recall and back to the draft": {func(c *stage.C64) {
			c.Ask("/say one")
			c.Keys("/say draft")
			c.Strike("UP", "DOWN")
		}, "/say draft"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := stage.Open(t, stage.BridgeOptions{})
			c := stage.Boot(t, b.Addr, stage.Machine{})
			c.Connect()
			e.do(c)
			c.Keys("\n")
			c.Until("the prompt arrives", patience, func() bool {
				got := b.Prompts()
				return len(got) > 0 && got[len(got)-1] == e.want
			})
			c.Settled()
		})
	}
}

func TestEveryCharacterOfTheKeyboardArrivesAsTyped(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for r := rune(' '); r < 0x7f; r++ {
		if _, ok := drive.RuneKeys(r); !ok {
			t.Errorf("no key types %q", r)
			continue
		}
		all.WriteRune(r)
	}
	b := stage.Open(t, stage.BridgeOptions{})
	c := stage.Boot(t, b.Addr, stage.Machine{})
	c.Connect()
	c.Ask("x" + all.String() + "x")
	if diff := cmp.Diff([]string{"x" + all.String() + "x"}, b.Prompts()); diff != "" {
		t.Errorf("the agent's prompts (-want +got):\n%s", diff)
	}
}

// longest is the largest prompt that the editor holds.
const longest = 760

func TestLongestPromptArrivesWhole(t *testing.T) {
	t.Parallel()
	onSomeMachines(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{})
		c := stage.Boot(t, b.Addr, m)
		c.Connect()
		prompt := "/say "
		for n := 0; len(prompt) < longest; n++ {
			prompt += strings.Repeat(string(rune('a'+n%26)), 1+n%11) + " "
		}
		prompt = prompt[:longest-1] + "."
		c.Keys(prompt)
		c.Keys("!")
		if got := c.Status(); !strings.Contains(got, "THE EDITOR IS FULL") {
			t.Errorf("one character more: the status says %q", got)
		}
		c.Keys("\n")
		c.WaitPaper("> "+prompt, patience)
		c.Settled()
		if diff := cmp.Diff([]string{prompt}, b.Prompts()); diff != "" {
			t.Errorf("the agent's prompts (-want +got):\n%s", diff)
		}
		sameText(t, c.Paper.Said(), "> "+prompt+" "+prompt[len("/say "):])
	})
}

func TestStopCancelsTheTurn(t *testing.T) {
	t.Parallel()
	for _, prompt := range []string{"/hang", "/stuck"} {
		t.Run(prompt, func(t *testing.T) {
			t.Parallel()
			b := stage.Open(t, stage.BridgeOptions{})
			c := stage.Boot(t, b.Addr, stage.Machine{})
			c.Connect()
			c.Keys(prompt + "\n")
			c.WaitPaper("cancel", patience)
			c.Strike("STOP")
			c.Until("the end", time.Hour, func() bool { return strings.HasSuffix(c.Paper.Text(), "\ncancelled") })
			c.Settled()
			if got := b.Cancels(); got != 1 {
				t.Errorf("the agent was told %d times", got)
			}
			c.Ask("/say after")
			c.WaitPaper("after", patience)
		})
	}
}

func TestLeavingAsksFirstAndGivesTheLeaseUp(t *testing.T) {
	t.Parallel()
	b := stage.Open(t, stage.BridgeOptions{})
	c := stage.Boot(t, b.Addr, stage.Machine{})
	c.Connect()
	c.Strike("STOP")
	c.Wait("Leave this session?", time.Second)
	c.Strike("n")
	c.Wait("Say what is to be done", time.Second)
	c.Ask("/say stayed")
	c.Strike("STOP", "y")
	c.Wait("RETURN connect", patience)
	if c.Screen().Has("is still there") {
		t.Error("a session that was left is offered again")
	}
	c.Connect()
	c.Ask("/say again")
	if n := c.Dials.Load(); n != 2 {
		t.Errorf("the line was opened %d times", n)
	}
}

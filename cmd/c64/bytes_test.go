package main_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/frames/framestest"
)

// All 256 characters of Latin-1, control characters too, as an agent says them:
// whatever the bridge makes of each, the C64 shows that and goes on.
func TestEveryByteValueOfAnAnswerIsShownSafely(t *testing.T) {
	t.Parallel()
	const each = 64
	var prompts []string
	for from := 0; from < 256; from += each {
		p := "/say ["
		for b := from; b < from+each; b++ {
			p += fmt.Sprintf("\\u%04x", b)
		}
		prompts = append(prompts, p+"]")
	}
	want := stage.Story(stage.Open(t, stage.BridgeOptions{}).Tell(prompts...))
	b := stage.Open(t, stage.BridgeOptions{})
	c := stage.Boot(t, b.Addr, stage.Machine{})
	c.Connect()
	for _, p := range prompts {
		c.Ask(p)
	}
	if got := stage.Ink(c.Paper.Said()); got != stage.Ink(want) {
		t.Errorf("the C64 shows\n%s\nand the bridge said\n%s", got, stage.Ink(want))
	}
}

// turn is a bridge that answers the first prompt with frames of the test's.
func turn(t *testing.T, answer ...frames.Message) *stage.C64 {
	t.Helper()
	c := stage.Boot(t, stage.Impostor(t, func(w *stage.Wire) {
		w.Greet()
		w.Expect(frames.TypeUserText)
		w.Send(answer...)
		w.Expect(frames.TypeSessionRelease) // never comes: heartbeats are answered
	}), stage.Machine{})
	c.Strike("RETURN")
	c.Settled()
	c.Keys("go\n")
	return c
}

// texts is what the answers' frames say, as a C64 shows it.
func texts(answer []frames.Message) string {
	var t framestest.Transcript
	for _, m := range answer {
		if d, ok := m.(frames.AssistantDelta); ok {
			t = append(t, framestest.Entry{Kind: framestest.Assistant, Text: string(d.Text)})
		}
	}
	return "> go\n" + strings.ReplaceAll(stage.Story(t), "\n", "")
}

func TestEveryDisplaySafeByteHasItsGlyph(t *testing.T) {
	t.Parallel()
	var answer []frames.Message
	seq := uint16(0)
	for b := 0x21; b <= 0xff; b++ {
		if b == 0x7f {
			continue
		}
		seq++
		answer = append(answer, frames.AssistantDelta{Seq: seq, Text: []byte{byte(b)}})
	}
	answer = append(answer, frames.TurnDone{Seq: seq + 1})
	c := turn(t, answer...)
	c.WaitPaper(texts(answer), patience)
	c.Settled()
}

// Frames of the largest size that a C64 takes, of every kind that a turn has.
func TestLargestFramesOfEveryKindAreTakenWhole(t *testing.T) {
	t.Parallel()
	fill := func(n int, with string) []byte { return []byte(strings.Repeat(with+" ", n)[:n-1] + ".") }
	var answer []frames.Message
	seq := uint16(0)
	add := func(m func(seq uint16) frames.Message) {
		seq++
		answer = append(answer, m(seq))
	}
	for n := range 60 {
		add(func(s uint16) frames.Message {
			return frames.AssistantDelta{Seq: s, Text: fill(90, fmt.Sprintf("text%d", n))}
		})
	}
	for n := range 30 {
		add(func(s uint16) frames.Message {
			return frames.ReasoningDelta{Seq: s, Text: fill(90, fmt.Sprintf("thought%d", n))}
		})
		add(func(s uint16) frames.Message {
			return frames.ActivityEvent{Seq: s, Lifecycle: frames.ActivityStarted, Label: fill(89, fmt.Sprintf("work%d", n))}
		})
		add(func(s uint16) frames.Message {
			return frames.ActivityEvent{Seq: s, Lifecycle: frames.ActivityCompleted, Label: fill(89, fmt.Sprintf("work%d", n))}
		})
	}
	add(func(s uint16) frames.Message { return frames.TurnFailed{Seq: s, Summary: fill(90, "why")} })
	for _, m := range answer {
		size := len(m.AppendTo(nil))
		if size != frames.MaxFrameToC64 {
			t.Fatalf("%T has %d bytes", m, size)
		}
	}
	c := turn(t, answer...)
	var story framestest.Transcript
	for _, m := range answer {
		switch m := m.(type) {
		case frames.AssistantDelta:
			story = append(story, framestest.Entry{Kind: framestest.Assistant, Text: string(m.Text)})
		case frames.ReasoningDelta:
			story = append(story, framestest.Entry{Kind: framestest.Reasoning, Text: string(m.Text)})
		case frames.ActivityEvent:
			story = append(story, framestest.Entry{Kind: framestest.Activity, N: uint8(m.Lifecycle), Text: string(m.Label)})
		case frames.TurnFailed:
			story = append(story, framestest.Entry{Kind: framestest.Failed, Text: string(m.Summary)})
		}
	}
	c.WaitPaper("! failed: why", patience)
	c.Settled()
	if got, want := stage.Ink(c.Paper.Said()), stage.Ink("> go "+stage.Story(story)); got != want {
		t.Errorf("got\n%s\nwant\n%s", c.Paper.Said(), stage.Story(story))
	}
}

// A sequence is newer when it is up to 32767 ahead, also around 65535; what is
// not newer was seen before, and is dropped.
func TestSequencesWrapAndWhatWasSeenIsDropped(t *testing.T) {
	t.Parallel()
	say := func(seq uint16, text string) frames.Message {
		return frames.AssistantDelta{Seq: seq, Text: []byte(text)}
	}
	c := turn(t,
		say(1, "one "), say(1, "DOUBLED "), say(32768, "two "), say(32768, "DOUBLED "), say(1, "OLD "),
		say(65534, "three "), say(65535, "four "), say(0, "five "), say(0, "DOUBLED "), say(65535, "OLD "),
		say(1, "six "), say(65535, "OLD "), say(32768, "seven "), say(1, "OLD "), frames.TurnDone{Seq: 32769})
	c.Settled()
	sameText(t, c.Paper.Said(), "> go one two three four five six seven")
}

// Bytes that the protocol forbids in text, from a bridge that is broken: the
// program stays whole, and shows what comes behind them.
func TestForbiddenBytesDoNoHarm(t *testing.T) {
	t.Parallel()
	var answer []frames.Message
	for b := range 0x20 {
		answer = append(answer, frames.AssistantDelta{Seq: uint16(b + 1), Text: []byte{byte(b), 'x', byte(b), 0x7f}})
	}
	answer = append(answer, frames.AssistantDelta{Seq: 50, Text: []byte(" behind")}, frames.TurnDone{Seq: 51})
	c := turn(t, answer...)
	c.WaitPaper("behind", patience)
	c.Settled()
	if got := strings.Count(c.Paper.Said(), "x"); got != 0x20 {
		t.Errorf("%d of 32 frames show", got)
	}
}

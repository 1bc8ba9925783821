package lease

import (
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/frames"
)

// deltas are the texts of the answer's frames.
func deltas(all []frames.Message) []string {
	var out []string
	for _, d := range only[frames.AssistantDelta](all) {
		out = append(out, string(d.Text))
	}
	return out
}

func TestFirstDeltaAfterASilenceGoesOutAtOnce(t *testing.T) {
	working(t, func(r *rig, c *c64, s *providertest.FakeSession) {
		for range 3 {
			s.Text("word ")
			if got := deltas(c.take()); len(got) != 1 || got[0] != "word " {
				t.Errorf("at once: %q", got)
			}
			time.Sleep(time.Second)
		}
	})
}

func TestDeltasAreMergedFor25Milliseconds(t *testing.T) {
	working(t, func(r *rig, c *c64, s *providertest.FakeSession) {
		for range 50 {
			s.Text("a ")
			time.Sleep(time.Millisecond)
		}
		if got := deltas(c.take()); len(got) > 4 {
			t.Errorf("%d frames in 50 ms: %q", len(got), got)
		}
		time.Sleep(25 * time.Millisecond)
		if got := deltas(c.take()); len(got) > 1 {
			t.Errorf("the rest in %q", got)
		}
	})
}

func TestFullFramesDoNotWaitAndCutNoWord(t *testing.T) {
	working(t, func(r *rig, c *c64, s *providertest.FakeSession) {
		text := strings.Repeat("some words of prose, ", 50)
		for _, piece := range pieces(text, 7) {
			s.Text(piece)
		}
		got := deltas(c.take())
		time.Sleep(time.Second)
		got = append(got, deltas(c.take())...)
		if strings.Join(got, "") != text {
			t.Errorf("text changed: %q", got)
		}
		for i, d := range got[1 : len(got)-1] {
			if next := got[i+2]; len(d) < 70 || d[len(d)-1] != ' ' && next[0] != ' ' {
				t.Errorf("frame %d is %q", i+1, d)
			}
		}
	})
}

func pieces(s string, n int) []string {
	var out []string
	for len(s) > n {
		out, s = append(out, s[:n]), s[n:]
	}
	return append(out, s)
}

func TestHeldTextComesOutBeforeWhatFollowsIt(t *testing.T) {
	working(t, func(r *rig, c *c64, s *providertest.FakeSession) {
		s.Push(
			provider.TextEvent{Text: "one "}, provider.TextEvent{Text: "two "},
			provider.ActivityEvent{ID: "1", Label: "ls"},
			provider.TextEvent{Text: "three "}, provider.TextEvent{Text: "four "},
			provider.ReasoningEvent{Text: "hmm "},
			provider.TextEvent{Text: "five"},
			provider.EndEvent{},
		)
		var kinds []frames.Type
		text := ""
		for _, m := range c.take() {
			switch m := m.(type) {
			case frames.AssistantDelta:
				text += string(m.Text)
			case frames.ReasoningDelta:
				text += "[" + string(m.Text) + "]"
			case frames.ActivityEvent:
				text += "(" + string(m.Label) + ")"
			}
			kinds = append(kinds, m.Type())
		}
		if text != "one two (ls)three four [hmm ]five" || kinds[len(kinds)-1] != frames.TypeTurnDone {
			t.Errorf("order is %q, %v", text, kinds)
		}
	})
}

func TestRuneSplitBetweenDeltasIsWhole(t *testing.T) {
	working(t, func(r *rig, c *c64, s *providertest.FakeSession) {
		for _, b := range []byte("Grüße – fin") {
			s.Text(string([]byte{b}))
			time.Sleep(10 * time.Millisecond)
		}
		end(s)
		if p := prose(c.take()); p != "Grusse - fin" {
			t.Errorf("prose %q", p)
		}
	})
}

func TestReasoningFollowsTheSetting(t *testing.T) {
	for setting, want := range []string{"", "summary", "summary", "raw"} {
		bubble(t, func(r *rig) {
			c := r.dial()
			c.send(frames.SettingsSet{Reasoning: frames.Reasoning(setting)})
			c.prompt("go")
			s := r.session(1)
			s.Push(provider.ReasoningEvent{Text: "summary"}, provider.ReasoningEvent{Text: "raw", Raw: true})
			end(s)
			got := ""
			for _, d := range only[frames.ReasoningDelta](c.take()) {
				got += string(d.Text)
			}
			if got != want {
				t.Errorf("setting %d shows %q, want %q", setting, got, want)
			}
			if o := r.agent.Calls("Start")[0].Options; int(o.Reasoning) != setting {
				t.Errorf("the provider was asked for reasoning %d", o.Reasoning)
			}
		})
	}
}

func TestPaletteOfATurnIsThatOfItsBeginning(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.send(frames.SettingsSet{Reasoning: 1, HasDisplay: true, Display: 1})
		c.prompt("go")
		s := r.session(1)
		c.send(frames.SettingsSet{Reasoning: 1, HasDisplay: true, Display: 0})
		s.Text("\u2500")
		end(s)
		if p := prose(c.take()); p != "\xC0" {
			t.Errorf("palette on: %q", p)
		}
		c.prompt("go")
		s.Text("\u2500")
		end(s)
		if p := prose(c.take()); p != "-" {
			t.Errorf("palette off: %q", p)
		}
	})
}

func TestTextThatWaitsForItsMarkComesOutAtTheEnd(t *testing.T) {
	working(t, func(r *rig, c *c64, s *providertest.FakeSession) {
		s.Text("it costs **more than")
		s.Push(provider.ActivityEvent{ID: "1", Label: "ls"})
		s.Text("caf\xc3")
		end(s)
		if p := prose(c.take()); p != "it costs **more thancaf?" {
			t.Errorf("prose %q", p)
		}
	})
}

package codex

import (
	"slices"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

func TestMessagesAreKeptApartByABlankLine(t *testing.T) {
	for want, messages := range map[string][]string{
		"a\n\nb":     {"a", "b"},
		"a\n\n# b":   {"a\n", "# b"},
		"a\n\nb\n\n": {"a\n\n", "b\n\n"},
		"b":          {"", "b", ""},
		"":           nil,
	} {
		if got := joinMessages(messages); got != want {
			t.Errorf("%q became %q, want %q", messages, got, want)
		}
	}
}

func TestMessageThatAnActivityCutIsNotDropped(t *testing.T) {
	var sp speech
	said := sp.piece("a", "half ")
	sp.activity()
	if again, dropped := sp.drop(); dropped || again != "" {
		t.Errorf("dropped %v, to be said again: %q", dropped, again)
	}
	if said += sp.piece("b", "whole"); said != "half \n\nwhole" {
		t.Errorf("said %q", said)
	}
}

func TestMessageWithoutPiecesIsSaidAtItsEnd(t *testing.T) {
	st := newStage(t)
	const item = `[[raw {"method":"item/completed","params":{"threadId":"THREAD","turnId":"TURN","item":{"type":"agentMessage","id":"m","text":"All at once."}}}]]`
	if got := saying(st.play(item + item)); got != "All at once." {
		t.Errorf("said %q", got)
	}
}

// thinking plays [[think]] or a raw item in a setting.
func thinking(t *testing.T, prompt string, r frames.Reasoning) (text string, headings []string) {
	t.Helper()
	st := newStage(t)
	st.start(prompt, provider.TurnOptions{Access: frames.AccessAsk, Reasoning: r})
	all := st.finish()
	var b strings.Builder
	for _, e := range of[provider.ReasoningEvent](all) {
		if !e.Visible(r) {
			t.Errorf("%+v is not to be seen", e)
		}
		b.WriteString(e.Text)
	}
	return b.String(), labels(all, frames.ActivityCompleted)
}

func TestHeadingsOfReasoningAreActivities(t *testing.T) {
	for r, want := range map[frames.Reasoning]string{
		frames.ReasoningOff:       "",
		frames.ReasoningSummary:   "First the files.\n\nThen the answer.",
		frames.ReasoningDetailed:  "First the files.\n\nThen the answer.",
		frames.ReasoningDeveloper: "raw chain of thought",
	} {
		text, headings := thinking(t, "[[think]]", r)
		if text != want {
			t.Errorf("setting %d: %q, want %q", r, text, want)
		}
		shown := r == frames.ReasoningSummary || r == frames.ReasoningDetailed
		if got := slices.Equal(headings, []string{"Looking around", "Deciding"}); got != shown {
			t.Errorf("setting %d: the headings are %q", r, headings)
		}
	}
}

func TestReasoningWithoutPiecesIsToldAtItsEnd(t *testing.T) {
	const item = `[[raw {"method":"item/completed","params":{"threadId":"THREAD","turnId":"TURN","item":{"type":"reasoning","id":"r","summary":["**Plan**\n\nDo it.","No heading."],"content":[]}}}]]`
	if text, headings := thinking(t, item, frames.ReasoningSummary); text != "Do it.\n\nNo heading." || !slices.Equal(headings, []string{"Plan"}) {
		t.Errorf("%q, %q", text, headings)
	}
	// A model without raw reasoning shows a developer its summary.
	if text, _ := thinking(t, item, frames.ReasoningDeveloper); text != "**Plan**\n\nDo it.\n\nNo heading." {
		t.Errorf("a developer reads %q", text)
	}
}

func TestHeadingIsCutOffInAnyPieces(t *testing.T) {
	for _, c := range []struct {
		text, heading, rest string
		whole               bool
	}{
		{"", "", "", false},
		{"*", "", "*", false},
		{"**Think", "", "**Think", false},
		{"**Think**", "Think", "", false},
		{"**Think**\n", "Think", "", false},
		{"**Think**\n\n", "Think", "", true},
		{"**Think**\n\nbody", "Think", "body", true},
		{"plain text", "", "plain text", true},
		{"**two\nlines**", "", "**two\nlines**", true},
		{"**" + strings.Repeat("x", 200), "", "**" + strings.Repeat("x", 200), true},
	} {
		if h, r, w := cutHeading(c.text); h != c.heading || r != c.rest || w != c.whole {
			t.Errorf("%q: %q, %q, %v", c.text, h, r, w)
		}
	}
}

func TestPlanStepsAreActivities(t *testing.T) {
	st := newStage(t)
	all := st.play("[[plan]]")
	want := []string{"Step 1/2: Look", "Step 2/2: Write"}
	if got := labels(all, frames.ActivityStarted); !slices.Equal(got, want) {
		t.Errorf("started: %q", got)
	}
	if got := labels(all, frames.ActivityCompleted); !slices.Equal(got, want) {
		t.Errorf("completed: %q", got)
	}
	if all = st.play("[[plan]][[fail no]]"); !slices.Equal(labels(all, frames.ActivityFailed), want[1:]) {
		t.Errorf("in a turn that failed: %+v", all)
	}
}

package demo

import (
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

func TestThinkShowsReasoningThatFollowsTheSetting(t *testing.T) {
	r := newRig(t)
	answer := ""
	for setting, want := range map[frames.Reasoning]string{
		frames.ReasoningOff: "", frames.ReasoningSummary: "Comparing numbers",
		frames.ReasoningDetailed: "Comparing numbers", frames.ReasoningDeveloper: "6510",
	} {
		got := r.play("/think", provider.TurnOptions{Reasoning: setting})
		var shown strings.Builder
		pieces := 0
		for _, ev := range got.events {
			if e, ok := ev.(provider.ReasoningEvent); ok {
				shown.WriteString(e.Text)
				pieces++
			}
		}
		if !strings.Contains(shown.String(), want) || (want == "") != (shown.Len() == 0) || pieces == 1 {
			t.Errorf("setting %d shows %q in %d pieces", setting, shown.String(), pieces)
		}
		if answer != "" && got.text != answer {
			t.Errorf("setting %d answers %q", setting, got.text)
		}
		answer = got.text
	}
}

func TestPlanShowsActivitiesThatEndEitherWay(t *testing.T) {
	got := newRig(t).ask("/plan")
	ends := map[frames.Lifecycle]int{}
	for _, a := range got.activities {
		ends[a.Lifecycle]++
	}
	if ends[frames.ActivityStarted] != 4 || ends[frames.ActivityCompleted] != 3 || ends[frames.ActivityFailed] != 1 {
		t.Errorf("the activities are %v", ends)
	}
}

func TestShowHasWhatShapingHasToDealWith(t *testing.T) {
	r := newRig(t)
	r.wantWords(r.ask("/show"), "# Heading", "**strong**", "](https://", "- a bullet", "| --- |", "```basic", "\u250c", "\U0001F600")
}

func TestTwoApprovalsWaitAtOnceAndEachIsDecided(t *testing.T) {
	r := newRig(t)
	r.wantWords(r.ask("/two"), "first is accepted", "second is accepted")
	r.answer = frames.Decline
	got := r.ask("/two")
	r.wantWords(got, "first is declined", "second is declined")
	if len(got.asked) != 2 || got.asked[0].ID == got.asked[1].ID {
		t.Errorf("asked %+v", got.asked)
	}
}

func TestTwoApprovalsMayBeDecidedInEitherOrder(t *testing.T) {
	r := newRig(t)
	if err := r.s.Start(t.Context(), "/two", provider.TurnOptions{Access: frames.AccessAsk}); err != nil {
		t.Fatal(err)
	}
	var ids []string
	text := ""
	for ev := range r.s.Events() {
		switch e := ev.(type) {
		case provider.ApprovalEvent:
			if ids = append(ids, e.ID); len(ids) == 2 {
				for i, d := range []frames.Decision{frames.Decline, frames.AcceptOnce} {
					if err := r.s.Decide(t.Context(), ids[1-i], d); err != nil {
						t.Error(err)
					}
				}
			}
		case provider.TextEvent:
			text += e.Text
		case provider.EndEvent:
			if !strings.Contains(text, "first is accepted") || !strings.Contains(text, "second is declined") {
				t.Errorf("the answer is %q", text)
			}
			return
		}
	}
}

func TestApprovalGoesAwayWhileTheTurnGoesOn(t *testing.T) {
	r := newRig(t)
	if err := r.s.Start(t.Context(), "/gone", provider.TurnOptions{Access: frames.AccessAsk}); err != nil {
		t.Fatal(err)
	}
	asked, gone, text := "", "", ""
	for ev := range r.s.Events() {
		switch e := ev.(type) {
		case provider.ApprovalEvent:
			asked = e.ID
		case provider.ApprovalGoneEvent:
			gone = e.ID
			if err := r.s.Decide(t.Context(), e.ID, frames.AcceptOnce); err == nil {
				t.Error("an approval that went away was decided")
			}
		case provider.TextEvent:
			text += e.Text
		case provider.EndEvent:
			if asked == "" || gone != asked || !strings.Contains(text, "went away") || e.End != provider.EndDone {
				t.Errorf("asked %q, gone %q, %q, %+v", asked, gone, text, e)
			}
			return
		}
	}
}

func TestRetryDropsWhatWasSaid(t *testing.T) {
	r := newRig(t)
	got := r.ask("/retry")
	after := ""
	for _, ev := range got.events {
		switch e := ev.(type) {
		case provider.TextEvent:
			after += e.Text
		case provider.RetryEvent:
			if !e.Dropped || e.Reason == "" || after == "" {
				t.Errorf("the retry is %+v after %q", e, after)
			}
			after = ""
		}
	}
	entries, err := r.s.History(t.Context())
	if err != nil || len(entries) != 2 || entries[1].Text != after {
		t.Errorf("the history is %q, %v; the answer %q", entries, err, after)
	}
}

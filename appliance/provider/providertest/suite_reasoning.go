package providertest

import (
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

var reasoningPromises = []promise{
	{"NoReasoningWhenItIsOff", []Feature{Summaries}, reasoningIn(frames.ReasoningOff, false, false)},
	{"SummaryShowsSummaries", []Feature{Summaries}, reasoningIn(frames.ReasoningSummary, true, false)},
	{"DetailedShowsSummaries", []Feature{Summaries}, reasoningIn(frames.ReasoningDetailed, true, false)},
	{"DeveloperShowsRawReasoning", []Feature{RawReasoning}, reasoningIn(frames.ReasoningDeveloper, false, true)},
	{"ReasoningFollowsTheTurnNotTheSession", []Feature{Summaries}, reasoningByTurn},
}

// reasoningIn checks which kinds of reasoning a setting shows. An answer comes
// in each.
func reasoningIn(setting frames.Reasoning, summary, raw bool) func(*bench) {
	return func(b *bench) {
		c := b.open(provider.Spec{Workspace: b.world.Workspace, Reasoning: setting})
		wantReasoning(b, c.play(b.Prompts.Think, frames.AccessAsk, setting), summary, raw)
	}
}

func wantReasoning(b *bench, got turn, summary, raw bool) {
	b.t.Helper()
	var sawSummary, sawRaw bool
	for _, ev := range got.events {
		if e, ok := ev.(provider.ReasoningEvent); ok {
			sawRaw = sawRaw || e.Raw
			sawSummary = sawSummary || !e.Raw
		}
	}
	if sawSummary != summary || sawRaw != raw {
		b.t.Errorf("summary shown: %v, want %v; raw shown: %v, want %v", sawSummary, summary, sawRaw, raw)
	}
	if got.text() == "" || got.end.End != provider.EndDone {
		b.t.Errorf("the answer is %q, the end %+v", got.text(), got.end)
	}
}

func reasoningByTurn(b *bench) {
	c := b.open(provider.Spec{Workspace: b.world.Workspace, Reasoning: frames.ReasoningSummary})
	wantReasoning(b, c.play(b.Prompts.Think, frames.AccessAsk, frames.ReasoningOff), false, false)
	wantReasoning(b, c.play(b.Prompts.Think, frames.AccessAsk, frames.ReasoningDetailed), true, false)
}

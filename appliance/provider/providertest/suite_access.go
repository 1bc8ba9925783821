package providertest

import (
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

var accessPromises = []promise{
	{"ReadOnlyRefusesWithoutAsking", []Feature{ReadOnly}, readOnly},
	{"AutoReviewActsWithoutAsking", []Feature{AutoReview}, autoReview},
	{"AccessFollowsTheTurnNotTheSession", []Feature{ReadOnly, AutoReview}, accessByTurn},
	{"AcceptForSessionDoesNotLiftReadOnly", []Feature{ReadOnly, AcceptForSession}, grantUnderReadOnly},
}

func readOnly(b *bench) {
	c := b.open(provider.Spec{Workspace: b.world.Workspace, Access: frames.AccessReadOnly})
	for kind, prompt := range b.acts() {
		refusedOnce(b, c, kind, prompt, 0)
	}
}

// refusedOnce plays a prompt under read-only access.
func refusedOnce(b *bench, c *conversation, kind frames.ApprovalKind, prompt string, effects int) {
	b.t.Helper()
	got := c.play(prompt, frames.AccessReadOnly, frames.ReasoningOff)
	c.wantEnd(got, provider.EndDone)
	b.wantEffects(kind, effects)
	if got.text() == "" {
		b.t.Error("the refusal has no words")
	}
	if !b.lacks(Activities) {
		wantOutcome(b.t, got, false)
	}
}

func autoReview(b *bench) {
	c := b.open(provider.Spec{Workspace: b.world.Workspace, Access: frames.AccessAutoReview})
	for kind, prompt := range b.acts() {
		got := c.play(prompt, frames.AccessAutoReview, frames.ReasoningOff)
		c.wantEnd(got, provider.EndDone)
		b.wantEffects(kind, 1)
		if !b.lacks(Activities) {
			wantOutcome(b.t, got, true)
		}
	}
}

func accessByTurn(b *bench) {
	c := b.open(provider.Spec{Workspace: b.world.Workspace, Access: frames.AccessReadOnly})
	for kind, prompt := range b.acts() {
		c.wantEnd(c.play(prompt, frames.AccessAutoReview, frames.ReasoningOff), provider.EndDone)
		b.wantEffects(kind, 1)
		refusedOnce(b, c, kind, prompt, 1)
	}
}

func grantUnderReadOnly(b *bench) {
	c := b.openNew()
	for kind, prompt := range b.acts() {
		c.start(prompt, frames.AccessAsk, frames.ReasoningOff)
		c.decide(until[provider.ApprovalEvent](c).ID, frames.AcceptForSession)
		c.wantEnd(c.finish(), provider.EndDone)
		refusedOnce(b, c, kind, prompt, 1)
	}
}

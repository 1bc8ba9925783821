package providertest

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

var approvalPromises = []promise{
	{"EachDecisionDoesWhatItSays", nil, decisionMatrix},
	{"DecisionIsTakenExactlyOnce", nil, decidedOnce},
	{"DecisionOnAnUnknownApprovalIsGone", nil, decisionUnknown},
	{"ApprovalShowsWhatItIsAbout", nil, approvalDetail},
	{"NothingIsDoneBeforeTheDecision", nil, nothingBefore},
	{"AcceptForSessionCoversItsKindOnly", []Feature{AcceptForSession}, sessionGrant},
	{"AcceptForSessionEndsWithTheSession", []Feature{AcceptForSession}, grantEnds},
}

// decisions are the four answers and what they lead to.
var decisions = []struct {
	name     string
	decision frames.Decision
	effects  int
	end      provider.End
	needs    Feature
}{
	{"accept once", frames.AcceptOnce, 1, provider.EndDone, ""},
	{"accept for session", frames.AcceptForSession, 1, provider.EndDone, AcceptForSession},
	{"decline", frames.Decline, 0, provider.EndDone, ""},
	{"cancel", frames.CancelTurn, 0, provider.EndCancelled, ""},
}

func decisionMatrix(b *bench) {
	for kind, prompt := range b.acts() {
		for _, d := range decisions {
			if d.needs != "" && b.lacks(d.needs) {
				continue
			}
			b.t.Run(kindName(kind)+"/"+d.name, func(t *testing.T) {
				sub := *b
				sub.t = t
				before := b.world.Effects(kind)
				c := sub.openNew()
				c.start(prompt, frames.AccessAsk, frames.ReasoningOff)
				ask := until[provider.ApprovalEvent](c)
				if ask.Kind != kind {
					t.Errorf("the approval's kind is %d, want %d", ask.Kind, kind)
				}
				c.decide(ask.ID, d.decision)
				got := c.finish()
				c.wantEnd(got, d.end)
				c.wantGone(ask.ID)
				sub.wantEffects(kind, before+d.effects)
				if !b.lacks(Activities) {
					wantOutcome(t, got, d.effects > 0)
				}
				c.close()
			})
		}
	}
}

// wantOutcome checks how the activity that was asked about ended.
func wantOutcome(t *testing.T, got turn, ok bool) {
	t.Helper()
	want := frames.ActivityFailed
	if ok {
		want = frames.ActivityCompleted
	}
	last := frames.ActivityStarted
	for _, ev := range got.events {
		if e, is := ev.(provider.ActivityEvent); is {
			last = e.Lifecycle
		}
	}
	if last != want {
		t.Errorf("the activity's state is %d at the turn's end, want %d", last, want)
	}
}

func decidedOnce(b *bench) {
	for kind, prompt := range b.acts() {
		c := b.openNew()
		c.start(prompt, frames.AccessAsk, frames.ReasoningOff)
		ask := until[provider.ApprovalEvent](c)
		var taken, gone int
		var mu sync.Mutex
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				err := c.s.Decide(b.ctx, ask.ID, frames.AcceptOnce)
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					taken++
				case errors.Is(err, provider.ErrApprovalGone):
					gone++
				default:
					b.t.Errorf("Decide: %v", err)
				}
			})
		}
		all.Wait()
		c.wantEnd(c.finish(), provider.EndDone)
		if taken != 1 || gone != 7 {
			b.t.Errorf("%d decisions were taken and %d came too late, of 8", taken, gone)
		}
		b.wantEffects(kind, 1)
	}
}

func decisionUnknown(b *bench) {
	c := b.openNew()
	c.wantGone("no such approval")
	for kind, prompt := range b.acts() {
		c.start(prompt, frames.AccessAsk, frames.ReasoningOff)
		ask := until[provider.ApprovalEvent](c)
		c.wantGone(ask.ID + "x")
		c.wantGone("")
		c.decide(ask.ID, frames.Decline)
		c.wantEnd(c.finish(), provider.EndDone)
		b.wantEffects(kind, 0)
	}
}

func approvalDetail(b *bench) {
	ids := map[string]bool{}
	for _, prompt := range b.acts() {
		c := b.openNew()
		for range 2 {
			c.start(prompt, frames.AccessAsk, frames.ReasoningOff)
			ask := until[provider.ApprovalEvent](c)
			if strings.TrimSpace(ask.Summary) == "" || strings.Contains(ask.Summary, "\n") {
				b.t.Errorf("the summary is %q, want one line", ask.Summary)
			}
			if len(ask.Detail) == 0 {
				b.t.Error("the approval has no detail")
			}
			for _, line := range ask.Detail {
				if strings.Contains(line.Text, "\n") || line.Kind > frames.LineMetadata {
					b.t.Errorf("a line of detail is %+v", line)
				}
			}
			if ask.ID == "" || ids[ask.ID] {
				b.t.Errorf("the approval's ID %q is empty or was used before", ask.ID)
			}
			ids[ask.ID] = true
			c.decide(ask.ID, frames.Decline)
			c.finish()
		}
		c.close()
		clear(ids) // they are unique in a session only
	}
}

func nothingBefore(b *bench) {
	for kind, prompt := range b.acts() {
		c := b.openNew()
		c.start(prompt, frames.AccessAsk, frames.ReasoningOff)
		until[provider.ApprovalEvent](c)
		b.wantEffects(kind, 0)
		c.close()
		b.wantEffects(kind, 0)
	}
}

func sessionGrant(b *bench) {
	acts := b.acts()
	for kind, prompt := range acts {
		before := b.world.Effects(kind)
		c := b.openNew()
		c.start(prompt, frames.AccessAsk, frames.ReasoningOff)
		c.decide(until[provider.ApprovalEvent](c).ID, frames.AcceptForSession)
		c.wantEnd(c.finish(), provider.EndDone)
		b.wantEffects(kind, before+1)
		c.wantEnd(c.play(prompt, frames.AccessAsk, frames.ReasoningOff), provider.EndDone)
		b.wantEffects(kind, before+2)
		for other, prompt := range acts {
			if other != kind {
				c.start(prompt, frames.AccessAsk, frames.ReasoningOff)
				c.decide(until[provider.ApprovalEvent](c).ID, frames.Decline)
				c.finish()
			}
		}
		c.close()
	}
}

func grantEnds(b *bench) {
	for _, prompt := range b.acts() {
		c := b.openNew()
		c.start(prompt, frames.AccessAsk, frames.ReasoningOff)
		c.decide(until[provider.ApprovalEvent](c).ID, frames.AcceptForSession)
		c.finish()
		c.close()
		c = b.openNew()
		c.start(prompt, frames.AccessAsk, frames.ReasoningOff)
		c.decide(until[provider.ApprovalEvent](c).ID, frames.Decline)
		c.finish()
		c.close()
	}
}

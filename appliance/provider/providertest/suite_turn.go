package providertest

import (
	"context"
	"errors"
	"strings"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

var turnPromises = []promise{
	{"InfoNamesTheAgent", nil, infoNames},
	{"AnswerArrivesWholeAndInOrder", nil, answerInOrder},
	{"EveryTurnHasOneEnd", nil, oneEnd},
	{"StartDuringATurnIsRefusedAndChangesNothing", nil, startDuringTurn},
	{"EndedContextStartsNothing", nil, endedContext},
	{"TurnOutlivesTheContextOfItsStart", nil, turnOutlivesStart},
	{"ActivitiesHaveOneStartAndOneEnd", []Feature{Activities}, activitiesPaired},
	{"UsageIsPlausible", nil, usagePlausible},
}

func infoNames(b *bench) {
	if b.p.Info().Name == "" {
		b.t.Error("the provider has no name")
	}
}

func answerInOrder(b *bench) {
	c := b.openNew()
	got := c.play(b.Prompts.Long, frames.AccessAsk, frames.ReasoningOff)
	c.wantEnd(got, provider.EndDone)
	if text := got.text(); text != b.Prompts.LongText {
		b.t.Errorf("the answer of %d bytes differs from LongText (%d) at byte %d",
			len(text), len(b.Prompts.LongText), firstDifference(text, b.Prompts.LongText))
	}
}

// firstDifference is the index of the first byte that differs.
func firstDifference(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

func oneEnd(b *bench) {
	c := b.openNew()
	for range 3 {
		c.wantEnd(c.play(b.Prompts.Plain, frames.AccessAsk, frames.ReasoningOff), provider.EndDone)
		c.wantSilence()
		c.wantEnd(c.play(b.Prompts.Fail, frames.AccessAsk, frames.ReasoningOff), provider.EndFailed)
		c.wantSilence()
		c.start(b.Prompts.Hang, frames.AccessAsk, frames.ReasoningOff)
		until[provider.TextEvent](c)
		c.cancel()
		c.wantEnd(c.finish(), provider.EndCancelled)
		c.wantSilence()
	}
	c.close()
	c.wantSilence()
}

func startDuringTurn(b *bench) {
	c := b.openNew()
	c.start(b.Prompts.Hang, frames.AccessAsk, frames.ReasoningOff)
	until[provider.TextEvent](c)
	err := c.s.Start(b.ctx, b.Prompts.Plain, provider.TurnOptions{})
	if !errors.Is(err, provider.ErrTurnActive) {
		b.t.Errorf("Start during a turn: %v", err)
	}
	c.cancel()
	c.wantEnd(c.finish(), provider.EndCancelled)
	c.wantEnd(c.play(b.Prompts.Plain, frames.AccessAsk, frames.ReasoningOff), provider.EndDone)
}

func endedContext(b *bench) {
	c := b.openNew()
	ended, end := context.WithCancel(b.ctx)
	end()
	if err := c.s.Start(ended, b.Prompts.Plain, provider.TurnOptions{}); err == nil {
		b.t.Error("Start with an ended context succeeded")
	}
	if err := c.s.Cancel(b.ctx); !errors.Is(err, provider.ErrNoTurn) {
		b.t.Errorf("a turn was started all the same: Cancel: %v", err)
	}
}

func turnOutlivesStart(b *bench) {
	c := b.openNew()
	ctx, end := context.WithCancel(b.ctx)
	if err := c.s.Start(ctx, b.Prompts.Hang, provider.TurnOptions{Access: frames.AccessAsk}); err != nil {
		b.t.Fatal(err)
	}
	end()
	until[provider.TextEvent](c)
	if err := c.s.Start(b.ctx, b.Prompts.Plain, provider.TurnOptions{}); !errors.Is(err, provider.ErrTurnActive) {
		b.t.Errorf("the turn ended with its Start's context: %v", err)
	}
	c.cancel()
	c.wantEnd(c.finish(), provider.EndCancelled)
}

func activitiesPaired(b *bench) {
	c := b.openNew()
	seen := map[string]bool{}
	for range 2 {
		for _, prompt := range b.acts() {
			wantPairs(b, c.act(prompt), seen)
		}
	}
	if len(seen) == 0 {
		b.t.Error("no activity was told")
	}
}

// act lets the agent act, with or without a question.
func (c *conversation) act(prompt string) turn {
	c.t.Helper()
	c.start(prompt, frames.AccessAutoReview, frames.ReasoningOff)
	var got turn
	for {
		ev, ok := c.next()
		if !ok {
			c.t.Fatal("the channel was closed before the turn's end")
		}
		switch e := ev.(type) {
		case provider.EndEvent:
			got.end = e
			return got
		case provider.ApprovalEvent:
			c.decide(e.ID, frames.AcceptOnce)
		}
		got.events = append(got.events, ev)
	}
}

// wantPairs checks that each activity of a turn starts once, under an ID of its
// own and with a label, and ends once.
func wantPairs(b *bench, got turn, seen map[string]bool) {
	b.t.Helper()
	open := map[string]bool{}
	for _, ev := range got.events {
		e, ok := ev.(provider.ActivityEvent)
		switch {
		case !ok:
		case e.Lifecycle == frames.ActivityStarted:
			if seen[e.ID] || strings.TrimSpace(e.Label) == "" {
				b.t.Errorf("an activity starts as %+v", e)
			}
			seen[e.ID], open[e.ID] = true, true
		case !open[e.ID]:
			b.t.Errorf("an activity that does not run ended: %+v", e)
		default:
			delete(open, e.ID)
		}
	}
	if len(open) > 0 {
		b.t.Errorf("activities did not end with the turn: %v", open)
	}
}

func usagePlausible(b *bench) {
	got := b.openNew().play(b.Prompts.Plain, frames.AccessAsk, frames.ReasoningOff)
	for _, ev := range got.events {
		if e, ok := ev.(provider.UsageEvent); ok && (e.Used < 0 || e.Window < 0 || e.Window > 0 && e.Used > e.Window) {
			b.t.Errorf("usage is %+v", e)
		}
	}
}

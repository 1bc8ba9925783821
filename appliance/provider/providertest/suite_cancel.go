package providertest

import (
	"errors"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

var cancelPromises = []promise{
	{"CancelWhileIdleFindsNoTurn", nil, cancelIdle},
	{"CancelWhileStreamingEndsTheTurn", nil, cancelStreaming},
	{"CancelRightAfterStartEndsTheTurn", nil, cancelAtOnce},
	{"CancelInAnApprovalTakesItAlong", nil, cancelApproval},
	{"CancelInAnActivityEndsIt", []Feature{Activities, AutoReview}, cancelActivity},
	{"SecondCancelIsHarmless", nil, cancelTwice},
	{"CancelAndDecideTogetherActAtMostOnce", nil, cancelRacesDecide},
}

// wantNoTurn checks that a session is idle.
func (c *conversation) wantNoTurn() {
	c.t.Helper()
	if err := c.s.Cancel(c.ctx); !errors.Is(err, provider.ErrNoTurn) {
		c.t.Errorf("Cancel without a turn: %v", err)
	}
}

func cancelIdle(b *bench) {
	c := b.openNew()
	c.wantNoTurn()
	c.wantEnd(c.play(b.Prompts.Plain, frames.AccessAsk, frames.ReasoningOff), provider.EndDone)
	c.wantNoTurn()
}

func cancelStreaming(b *bench) {
	c := b.openNew()
	c.start(b.Prompts.Hang, frames.AccessAsk, frames.ReasoningOff)
	until[provider.TextEvent](c)
	c.cancel()
	c.wantEnd(c.finish(), provider.EndCancelled)
	c.wantNoTurn()
	c.wantEnd(c.play(b.Prompts.Plain, frames.AccessAsk, frames.ReasoningOff), provider.EndDone)
}

func cancelAtOnce(b *bench) {
	c := b.openNew()
	for range 20 {
		c.start(b.Prompts.Hang, frames.AccessAsk, frames.ReasoningOff)
		c.cancel()
		c.wantEnd(c.finish(), provider.EndCancelled)
	}
	c.wantEnd(c.play(b.Prompts.Plain, frames.AccessAsk, frames.ReasoningOff), provider.EndDone)
}

func cancelApproval(b *bench) {
	c := b.openNew()
	for kind, prompt := range b.acts() {
		c.start(prompt, frames.AccessAsk, frames.ReasoningOff)
		ask := until[provider.ApprovalEvent](c)
		c.cancel()
		c.wantGone(ask.ID)
		c.wantEnd(c.finish(), provider.EndCancelled)
		c.wantGone(ask.ID)
		b.wantEffects(kind, 0)
		c.wantNoTurn()
	}
}

func cancelActivity(b *bench) {
	c := b.openNew()
	c.start(b.Prompts.Busy, frames.AccessAutoReview, frames.ReasoningOff)
	until[provider.ActivityEvent](c)
	c.cancel()
	got := c.finish()
	c.wantEnd(got, provider.EndCancelled)
	wantOutcome(b.t, got, false)
	c.wantEnd(c.play(b.Prompts.Plain, frames.AccessAsk, frames.ReasoningOff), provider.EndDone)
}

func cancelTwice(b *bench) {
	c := b.openNew()
	c.start(b.Prompts.Hang, frames.AccessAsk, frames.ReasoningOff)
	until[provider.TextEvent](c)
	c.cancel()
	// The second may find the turn over, or ending.
	if err := c.s.Cancel(b.ctx); err != nil && !errors.Is(err, provider.ErrNoTurn) {
		b.t.Errorf("second Cancel: %v", err)
	}
	c.wantEnd(c.finish(), provider.EndCancelled)
	c.wantSilence()
	c.wantEnd(c.play(b.Prompts.Plain, frames.AccessAsk, frames.ReasoningOff), provider.EndDone)
}

func cancelRacesDecide(b *bench) {
	for kind, prompt := range b.acts() {
		c := b.openNew()
		for range 10 {
			before := b.world.Effects(kind)
			c.start(prompt, frames.AccessAsk, frames.ReasoningOff)
			ask := until[provider.ApprovalEvent](c)
			decided := make(chan error, 1)
			go func() { decided <- c.s.Decide(b.ctx, ask.ID, frames.AcceptOnce) }()
			if err := c.s.Cancel(b.ctx); err != nil && !errors.Is(err, provider.ErrNoTurn) {
				b.t.Errorf("Cancel: %v", err)
			}
			err := <-decided
			if err != nil && !errors.Is(err, provider.ErrApprovalGone) {
				b.t.Errorf("Decide: %v", err)
			}
			got := c.finish()
			acted := b.world.Effects(kind) - before
			if acted > 1 || acted == 1 && err != nil || acted == 0 && got.end.End == provider.EndDone {
				b.t.Errorf("acted %d times, Decide: %v, end %+v", acted, err, got.end)
			}
		}
		c.close()
	}
}

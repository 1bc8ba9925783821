package providertest

import (
	"errors"
	"slices"
	"sync"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

var loadPromises = []promise{
	{"SessionsRunBesideEachOther", nil, besideEachOther},
	{"AnyCallMayComeAtAnyTime", nil, anyCall},
}

func besideEachOther(b *bench) {
	var all sync.WaitGroup
	for i := range 4 {
		workspace := b.world.Workspace
		if i%2 == 1 {
			workspace = b.world.Other
		}
		c := b.open(provider.Spec{Workspace: workspace})
		c.start(b.Prompts.Long, frames.AccessAsk, frames.ReasoningOff)
		all.Go(func() {
			// No helper that ends the test: this is not its goroutine.
			got := c.quietFinish()
			if got.end.End != provider.EndDone || got.text() != b.Prompts.LongText {
				b.t.Errorf("session %d: %d bytes, end %+v", i, len(got.text()), got.end)
			}
		})
	}
	all.Wait()
}

// quietFinish reads to the turn's end, or to the channel's.
func (c *conversation) quietFinish() turn {
	var got turn
	for {
		ev, ok := c.next()
		if !ok {
			return got
		}
		if end, is := ev.(provider.EndEvent); is {
			got.end = end
			return got
		}
		got.events = append(got.events, ev)
	}
}

// anyCall lets several callers do everything at once. What they get is one of
// the errors that the interface names, and every turn that started ends.
func anyCall(b *bench) {
	c := b.openNew()
	known := []error{provider.ErrTurnActive, provider.ErrNoTurn, provider.ErrApprovalGone}
	check := func(what string, err error) bool {
		if err != nil && !slices.ContainsFunc(known, func(k error) bool { return errors.Is(err, k) }) {
			b.t.Errorf("%s: %v", what, err)
		}
		return err == nil
	}
	var mu sync.Mutex
	started := 0
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 10 {
				opts := provider.TurnOptions{Access: frames.AccessAsk}
				if check("Start", c.s.Start(b.ctx, b.Prompts.Plain, opts)) {
					mu.Lock()
					started++
					mu.Unlock()
				}
				_, _ = c.s.ID(), c.s.Title()
				check("Decide", c.s.Decide(b.ctx, "none", frames.AcceptOnce))
				_, err := c.s.History(b.ctx)
				check("History", err)
				_, err = b.p.Sessions(b.ctx, b.world.Workspace)
				check("Sessions", err)
				check("Cancel", c.s.Cancel(b.ctx))
			}
		})
	}
	all.Wait()
	for range started {
		c.finish()
	}
	c.wantSilence()
}

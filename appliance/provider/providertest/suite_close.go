package providertest

import (
	"errors"
	"sync"
	"testing"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

var closePromises = []promise{
	{"CloseEndsTheSessionInEveryState", nil, closeStates},
	{"CloseWorksWhileNobodyReads", nil, closeUnread},
	{"CloseMayBeCalledOftenAndAtOnce", nil, closeOften},
	{"ClosedSessionRefusesEverything", nil, closedRefuses},
	{"ProviderCloseEndsItsSessions", nil, providerClose},
}

// states bring a session to a state in which it is closed.
func (b *bench) states() map[string]func(*conversation) {
	states := map[string]func(*conversation){
		"new":  func(*conversation) {},
		"idle": func(c *conversation) { c.play(b.Prompts.Plain, frames.AccessAsk, frames.ReasoningOff) },
		"started": func(c *conversation) {
			c.start(b.Prompts.Hang, frames.AccessAsk, frames.ReasoningOff)
		},
		"streaming": func(c *conversation) {
			c.start(b.Prompts.Hang, frames.AccessAsk, frames.ReasoningOff)
			until[provider.TextEvent](c)
		},
		"cancelling": func(c *conversation) {
			c.start(b.Prompts.Hang, frames.AccessAsk, frames.ReasoningOff)
			c.cancel()
		},
	}
	for kind, prompt := range b.acts() {
		states["asking for a "+kindName(kind)] = func(c *conversation) {
			c.start(prompt, frames.AccessAsk, frames.ReasoningOff)
			until[provider.ApprovalEvent](c)
		}
	}
	if !b.lacks(Activities) && !b.lacks(AutoReview) {
		states["busy"] = func(c *conversation) {
			c.start(b.Prompts.Busy, frames.AccessAutoReview, frames.ReasoningOff)
			until[provider.ActivityEvent](c)
		}
	}
	if !b.lacks(IgnoredCancel) {
		states["stuck"] = func(c *conversation) {
			c.start(b.Prompts.Stuck, frames.AccessAsk, frames.ReasoningOff)
			until[provider.TextEvent](c)
			c.cancel()
		}
	}
	if !b.lacks(Crash) {
		states["dead"] = func(c *conversation) { c.crash(b.Prompts.Crash) }
	}
	return states
}

func closeStates(b *bench) {
	for name, reach := range b.states() {
		b.t.Run(name, func(t *testing.T) {
			sub := *b
			sub.t = t
			c := sub.openNew()
			reach(c)
			c.close()
		})
	}
}

func closeUnread(b *bench) {
	c := b.openDeaf(provider.Spec{Workspace: b.world.Workspace})
	c.start(b.Prompts.Long, frames.AccessAsk, frames.ReasoningOff)
	within(b.t, "Close", c.s.Close)
	c.listen()
	for {
		if _, ok := c.next(); !ok {
			return
		}
	}
}

func closeOften(b *bench) {
	c := b.openNew()
	c.start(b.Prompts.Hang, frames.AccessAsk, frames.ReasoningOff)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if err := c.s.Close(); err != nil {
				b.t.Errorf("Close: %v", err)
			}
		})
	}
	within(b.t, "Close", func() error { all.Wait(); return nil })
	c.close()
}

func closedRefuses(b *bench) {
	c := b.openNew()
	c.wantEnd(c.play(b.Prompts.Plain, frames.AccessAsk, frames.ReasoningOff), provider.EndDone)
	c.close()
	if err := c.s.Start(b.ctx, b.Prompts.Plain, provider.TurnOptions{}); !errors.Is(err, provider.ErrClosed) {
		b.t.Errorf("Start: %v", err)
	}
	if err := c.s.Cancel(b.ctx); !errors.Is(err, provider.ErrClosed) {
		b.t.Errorf("Cancel: %v", err)
	}
	if err := c.s.Decide(b.ctx, "x", frames.AcceptOnce); !errors.Is(err, provider.ErrClosed) && !errors.Is(err, provider.ErrApprovalGone) {
		b.t.Errorf("Decide: %v", err)
	}
}

func providerClose(b *bench) {
	c := b.openNew()
	c.start(b.Prompts.Hang, frames.AccessAsk, frames.ReasoningOff)
	until[provider.TextEvent](c)
	b.end()
	for {
		if _, ok := c.next(); !ok {
			break
		}
	}
	if _, err := b.p.Open(b.ctx, provider.Spec{Workspace: b.world.Workspace}); !errors.Is(err, provider.ErrClosed) {
		b.t.Errorf("Open after Close: %v", err)
	}
	if _, err := b.p.Sessions(b.ctx, b.world.Workspace); !errors.Is(err, provider.ErrClosed) {
		b.t.Errorf("Sessions after Close: %v", err)
	}
	within(b.t, "Close of what is closed", c.s.Close)
}

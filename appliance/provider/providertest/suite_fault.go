package providertest

import (
	"context"
	"errors"
	"strings"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

var faultPromises = []promise{
	{"FailureTellsItsReason", nil, failureReason},
	{"CrashFailsTheTurnAndClosesTheChannel", []Feature{Crash}, crashInTurn},
	{"CrashedSessionIsResumed", []Feature{Crash, Resume, History}, crashThenResume},
	{"CrashLeavesOtherSessionsAlone", []Feature{Crash}, crashAlone},
	{"SlowReaderLosesNothing", nil, slowReader},
	{"CancelWorksWhileNobodyReads", nil, cancelUnread},
}

func failureReason(b *bench) {
	c := b.openNew()
	got := c.play(b.Prompts.Fail, frames.AccessAsk, frames.ReasoningOff)
	c.wantEnd(got, provider.EndFailed)
	if !strings.Contains(got.end.Reason, b.Prompts.FailReason) {
		b.t.Errorf("the reason is %q, want %q in it", got.end.Reason, b.Prompts.FailReason)
	}
	c.wantEnd(c.play(b.Prompts.Plain, frames.AccessAsk, frames.ReasoningOff), provider.EndDone)
}

// crash runs a turn that kills the agent, and reads to the channel's end.
func (c *conversation) crash(prompt string) {
	c.t.Helper()
	c.start(prompt, frames.AccessAsk, frames.ReasoningOff)
	got := c.finish()
	c.wantEnd(got, provider.EndFailed)
	if got.end.Reason == "" {
		c.t.Error("the crash has no words")
	}
	if ev, ok := c.next(); ok {
		c.t.Errorf("after the crash came %+v", ev)
	}
}

func crashInTurn(b *bench) {
	c := b.openNew()
	c.crash(b.Prompts.Crash)
	opts := provider.TurnOptions{}
	if err := c.s.Start(b.ctx, b.Prompts.Plain, opts); !errors.Is(err, provider.ErrClosed) {
		b.t.Errorf("Start of a dead session: %v", err)
	}
	if err := c.s.Cancel(b.ctx); !errors.Is(err, provider.ErrClosed) && !errors.Is(err, provider.ErrNoTurn) {
		b.t.Errorf("Cancel of a dead session: %v", err)
	}
	c.close()
	again := b.openNew()
	again.wantEnd(again.play(b.Prompts.Plain, frames.AccessAsk, frames.ReasoningOff), provider.EndDone)
}

func crashThenResume(b *bench) {
	c := b.openNew()
	c.wantEnd(c.play(b.Prompts.Plain, frames.AccessAsk, frames.ReasoningOff), provider.EndDone)
	c.crash(b.Prompts.Crash)
	id := c.s.ID()
	// A lease opens anew at once, and closes the dead session after that.
	again := b.resume(id)
	c.close()
	if prompts := userPrompts(again.history()); !equal(prompts, []string{b.Prompts.Plain, b.Prompts.Crash}) {
		b.t.Errorf("the history has the prompts %q", prompts)
	}
	again.wantEnd(again.play(b.Prompts.Plain, frames.AccessAsk, frames.ReasoningOff), provider.EndDone)
}

func crashAlone(b *bench) {
	other := b.openNew()
	other.start(b.Prompts.Hang, frames.AccessAsk, frames.ReasoningOff)
	until[provider.TextEvent](other)
	b.openNew().crash(b.Prompts.Crash)
	// An agent whose sessions share one process may fail the other turn too;
	// what it may not do is to leave it without an end.
	if err := other.s.Cancel(b.ctx); err != nil && !errors.Is(err, provider.ErrNoTurn) && !errors.Is(err, provider.ErrClosed) {
		b.t.Errorf("Cancel: %v", err)
	}
	if got := other.finish(); got.end.End == provider.EndDone {
		b.t.Errorf("the other turn ended as %+v", got.end)
	}
}

func slowReader(b *bench) {
	c := b.openDeaf(provider.Spec{Workspace: b.world.Workspace})
	c.start(b.Prompts.Long, frames.AccessAsk, frames.ReasoningOff)
	// Calls that do not read must not wait for the reader.
	if err := c.s.Start(b.ctx, b.Prompts.Plain, provider.TurnOptions{}); err != nil && !errors.Is(err, provider.ErrTurnActive) {
		b.t.Errorf("Start: %v", err)
	}
	if _, err := c.s.History(b.ctx); err != nil {
		b.t.Errorf("History: %v", err)
	}
	c.listen()
	got := c.finish()
	c.wantEnd(got, provider.EndDone)
	if at := firstDifference(got.text(), b.Prompts.LongText); got.text() != b.Prompts.LongText {
		b.t.Errorf("a slow reader's text differs at byte %d of %d", at, len(b.Prompts.LongText))
	}
}

func cancelUnread(b *bench) {
	c := b.openDeaf(provider.Spec{Workspace: b.world.Workspace})
	c.start(b.Prompts.Long, frames.AccessAsk, frames.ReasoningOff)
	ctx, stop := context.WithTimeout(b.ctx, patience)
	defer stop()
	if err := c.s.Cancel(ctx); err != nil && !errors.Is(err, provider.ErrNoTurn) {
		b.t.Errorf("Cancel: %v", err)
	}
	c.listen()
	got := c.finish()
	if !strings.HasPrefix(b.Prompts.LongText, got.text()) {
		b.t.Error("what a cancelled turn said is not the beginning of its answer")
	}
}

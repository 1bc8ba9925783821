package providertest

import (
	"errors"
	"slices"
	"strings"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

var storePromises = []promise{
	{"NewSessionHasNoHistoryAndNoID", []Feature{History}, newIsEmpty},
	{"HistoryHasTheFinishedTurnsInOrder", []Feature{History}, historyInOrder},
	{"HistoryKeepsThePromptOfATurnThatDidNotFinish", []Feature{History}, historyUnfinished},
	{"SessionsAreListedByWorkspaceNewestFirst", []Feature{SessionList}, listed},
	{"UnknownSessionIsNoSession", []Feature{Resume}, unknownSession},
	{"SessionIsResumedByAProviderMadeAnew", []Feature{Resume, History, SessionList}, resumedAnew},
	{"SessionClosedInATurnIsResumed", []Feature{Resume, History}, resumedAfterClose},
}

// history reads the session's history.
func (c *conversation) history() []provider.Entry {
	c.t.Helper()
	entries, err := c.s.History(c.ctx)
	if err != nil {
		c.t.Fatalf("History: %v", err)
	}
	return entries
}

// userPrompts is what the user said.
func userPrompts(entries []provider.Entry) []string {
	var prompts []string
	for _, e := range entries {
		if e.Speaker == frames.SpeakerUser {
			prompts = append(prompts, e.Text)
		}
	}
	return prompts
}

func equal(a, b []string) bool { return slices.Equal(a, b) }

func newIsEmpty(b *bench) {
	c := b.openNew()
	if n := len(c.history()); n != 0 {
		b.t.Errorf("a new session has %d entries", n)
	}
	if c.s.ID() != "" || c.s.Title() != "" {
		b.t.Errorf("a new session is %q, %q", c.s.ID(), c.s.Title())
	}
}

func historyInOrder(b *bench) {
	c := b.openNew()
	first := c.play(b.Prompts.Plain, frames.AccessAsk, frames.ReasoningOff)
	another := b.Prompts.Think
	if another == "" {
		another = b.Prompts.Plain
	}
	second := c.play(another, frames.AccessAsk, frames.ReasoningSummary)
	c.start(b.Prompts.Hang, frames.AccessAsk, frames.ReasoningOff)
	until[provider.TextEvent](c)
	want := []provider.Entry{
		{Speaker: frames.SpeakerUser, Text: b.Prompts.Plain},
		{Speaker: frames.SpeakerAssistant, Text: first.text()},
		{Speaker: frames.SpeakerUser, Text: another},
		{Speaker: frames.SpeakerAssistant, Text: second.text()},
	}
	if got := c.history(); !slices.Equal(got, want) {
		b.t.Errorf("during the third turn the history is %q, want %q", got, want)
	}
	c.cancel()
	c.finish()
	if got := c.history(); len(got) < 4 || !slices.Equal(got[:4], want) {
		b.t.Errorf("after the third turn the history is %q", got)
	}
}

func historyUnfinished(b *bench) {
	c := b.openNew()
	c.start(b.Prompts.Hang, frames.AccessAsk, frames.ReasoningOff)
	said := until[provider.TextEvent](c).Text
	c.cancel()
	said += c.finish().text()
	c.play(b.Prompts.Fail, frames.AccessAsk, frames.ReasoningOff)
	got := c.history()
	if prompts := userPrompts(got); !equal(prompts, []string{b.Prompts.Hang, b.Prompts.Fail}) {
		b.t.Errorf("the prompts are %q", prompts)
	}
	if len(got) > 1 && got[1].Speaker == frames.SpeakerAssistant && !strings.HasPrefix(got[1].Text, said) {
		b.t.Errorf("what was said before the cancel, %q, is kept as %q", said, got[1].Text)
	}
}

// sessions lists a workspace.
func (b *bench) sessions(workspace string) []provider.SessionInfo {
	b.t.Helper()
	list, err := b.p.Sessions(b.ctx, workspace)
	if err != nil {
		b.t.Fatalf("Sessions: %v", err)
	}
	return list
}

// sessionIDs are the IDs of a list, in its order.
func sessionIDs(list []provider.SessionInfo) []string {
	var ids []string
	for _, info := range list {
		ids = append(ids, info.ID)
	}
	return ids
}

func listed(b *bench) {
	if list := b.sessions(b.world.Workspace); len(list) != 0 {
		b.t.Errorf("a fresh workspace lists %+v", list)
	}
	hold := func(workspace string) *conversation {
		c := b.open(provider.Spec{Workspace: workspace, Access: frames.AccessAsk})
		c.play(b.Prompts.Plain, frames.AccessAsk, frames.ReasoningOff)
		return c
	}
	first, second, other := hold(b.world.Workspace), hold(b.world.Workspace), hold(b.world.Other)
	if got, want := sessionIDs(b.sessions(b.world.Workspace)), []string{second.s.ID(), first.s.ID()}; !equal(got, want) {
		b.t.Errorf("the list is %q, want %q", got, want)
	}
	if got, want := sessionIDs(b.sessions(b.world.Other)), []string{other.s.ID()}; !equal(got, want) {
		b.t.Errorf("the other workspace lists %q, want %q", got, want)
	}
	first.play(b.Prompts.Plain, frames.AccessAsk, frames.ReasoningOff)
	list := b.sessions(b.world.Workspace)
	if got, want := sessionIDs(list), []string{first.s.ID(), second.s.ID()}; !equal(got, want) {
		b.t.Errorf("after another turn of the first the list is %q, want %q", got, want)
	}
	for _, info := range list {
		if info.Title == "" || info.Updated.IsZero() {
			b.t.Errorf("a row of the list is %+v", info)
		}
	}
}

func unknownSession(b *bench) {
	for _, id := range []string{"no-such-session", "../../etc/passwd", "."} {
		_, err := b.p.Open(b.ctx, provider.Spec{Workspace: b.world.Workspace, SessionID: id})
		if !errors.Is(err, provider.ErrNoSession) {
			b.t.Errorf("Open of session %q: %v", id, err)
		}
	}
}

func resumedAnew(b *bench) {
	c := b.openNew()
	c.play(b.Prompts.Plain, frames.AccessAsk, frames.ReasoningOff)
	id, title, before := c.s.ID(), c.s.Title(), c.history()
	c.close()
	b.end()
	b.begin()
	if got := sessionIDs(b.sessions(b.world.Workspace)); !equal(got, []string{id}) {
		b.t.Fatalf("after the restart the list is %q, want %q", got, id)
	}
	again := b.resume(id)
	if again.s.ID() != id || again.s.Title() != title {
		b.t.Errorf("resumed as %q, %q; want %q, %q", again.s.ID(), again.s.Title(), id, title)
	}
	if got := again.history(); !slices.Equal(got, before) {
		b.t.Errorf("after the restart the history is %q, want %q", got, before)
	}
	again.play(b.Prompts.Plain, frames.AccessAsk, frames.ReasoningOff)
	if got := again.history(); len(got) != 2*len(before) || again.s.ID() != id {
		b.t.Errorf("after another turn of %q the history is %q", again.s.ID(), got)
	}
}

func resumedAfterClose(b *bench) {
	c := b.openNew()
	c.start(b.Prompts.Hang, frames.AccessAsk, frames.ReasoningOff)
	until[provider.TextEvent](c)
	id := c.s.ID()
	c.close()
	b.end()
	b.begin()
	again := b.resume(id)
	if prompts := userPrompts(again.history()); !equal(prompts, []string{b.Prompts.Hang}) {
		b.t.Errorf("the history has the prompts %q", prompts)
	}
	again.wantEnd(again.play(b.Prompts.Plain, frames.AccessAsk, frames.ReasoningOff), provider.EndDone)
}

package acp

import (
	"encoding/json"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// maxCalls bounds the tool calls of a turn that are remembered.
const maxCalls = 4096

// tools are the tool calls of a turn.
type tools struct {
	calls    map[string]*toolCall
	order    []*toolCall
	held     *toolCall // was named, but not told yet: what it does is still to come
	thoughts thoughts
}

// toolCall is what is known of one tool call. An update replaces what it carries
// and leaves the rest.
type toolCall struct {
	workspace string
	toolFields
	id   string // of its activity; empty before it is told
	over bool
}

// merge takes what an update, or a permission, says of a call.
func (c *toolCall) merge(f *toolFields) {
	if f.Title != "" {
		c.Title = f.Title
	}
	if f.ToolKind != "" {
		c.ToolKind = f.ToolKind
	}
	if f.Status != "" {
		c.Status = f.Status
	}
	if has(f.RawInput, "{}") {
		c.RawInput = f.RawInput
	}
	if has(f.Content, "[]") {
		c.Content = f.Content
	}
	if len(f.Locations) > 0 {
		c.Locations = f.Locations
	}
}

// has reports whether a field is there and says something.
func has(raw json.RawMessage, empty string) bool {
	return len(raw) > 0 && string(raw) != "null" && string(raw) != empty
}

// find returns a call, which is new if an update or a permission names it first.
func (t *turn) find(f *toolFields) *toolCall {
	c := t.tools.calls[f.ToolCallID]
	if c == nil {
		c = &toolCall{workspace: t.s.spec.Workspace}
		c.ToolCallID = f.ToolCallID
		if len(t.tools.order) < maxCalls {
			t.tools.calls[f.ToolCallID] = c
			t.tools.order = append(t.tools.order, c)
		}
		t.talk.apart = true
	}
	c.merge(f)
	return c
}

// tool follows a tool call. One that is only named waits a moment, until the
// update that says what it does, or until something else has to be told.
func (t *turn) tool(f *toolFields) {
	if f.ToolCallID == "" {
		return
	}
	c := t.find(f)
	if c.over {
		return
	}
	if t.tools.held != nil && t.tools.held != c {
		t.flushTool()
	}
	if c.id == "" && f.Status == "pending" && !c.speaks() {
		t.tools.held = c
		return
	}
	t.announce(c)
	if c.Status == "completed" || c.Status == "failed" {
		t.withdraw(c)
		c.over = true
		t.settle(c, c.Status == "completed")
	}
}

// speaks reports whether a call says more than the name of a tool.
func (c *toolCall) speaks() bool {
	return c.given() != "" || len(c.paths()) > 0 && c.ToolKind != "execute"
}

// flushTool tells of the call that waited.
func (t *turn) flushTool() {
	if c := t.tools.held; c != nil {
		t.announce(c)
	}
}

// announce tells that a call has begun, once.
func (t *turn) announce(c *toolCall) {
	if t.tools.held == c {
		t.tools.held = nil
	}
	if c.id != "" || c.over {
		return
	}
	id := t.s.number("tool")
	ev := provider.ActivityEvent{ID: id, Lifecycle: frames.ActivityStarted, Label: c.label()}
	if t.s.queue.Push(t.ctx, ev) == nil {
		c.id = id
	}
}

// settle tells how a call ended that was told of.
func (t *turn) settle(c *toolCall, ok bool) {
	if ev := c.end(ok); ev != nil {
		t.put(ev)
	}
}

func (c *toolCall) end(ok bool) provider.Event {
	if c.id == "" {
		return nil
	}
	ev := provider.ActivityEvent{ID: c.id, Lifecycle: frames.ActivityFailed, Label: c.label()}
	if ok {
		ev.Lifecycle = frames.ActivityCompleted
	}
	return ev
}

// close ends the calls that the agent left open: some say nothing more of a call
// that was declined, or of any when they are cancelled.
func (ts *tools) close(t *turn, done bool) []provider.Event {
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	var events []provider.Event
	for _, c := range ts.order {
		if c.over {
			continue
		}
		c.over = true
		if ev := c.end(done && !t.declined[c.ToolCallID]); ev != nil {
			events = append(events, ev)
		}
	}
	ts.held = nil
	return events
}

// withdraw takes back the questions about a call that has ended without them.
func (t *turn) withdraw(c *toolCall) {
	t.s.mu.Lock()
	var left []*pending
	for key, a := range t.s.pending {
		if a.call.ToolCallID == c.ToolCallID {
			left = append(left, a)
			delete(t.s.pending, key)
		}
	}
	t.s.mu.Unlock()
	for _, a := range left {
		a.cancel()
		t.put(provider.ApprovalGoneEvent{ID: a.id, Reason: "the agent no longer asks"})
	}
}

package acp

import (
	"encoding/json"
	"sort"
	"strings"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// pending is a question of the agent that waits for the user.
type pending struct {
	id      string
	agent   *agent
	turn    *turn
	rpcID   json.RawMessage
	call    toolCall // as it was when it was shown
	options []option
}

// The answers to a question. cancelledOutcome is what a cancelled turn owes to
// each, and the only no for an agent that offers none.
var cancelledOutcome = map[string]any{"outcome": map[string]any{"outcome": "cancelled"}}

func selectedOutcome(id string) any {
	return map[string]any{"outcome": map[string]any{"outcome": "selected", "optionId": id}}
}

// cancel answers a question that nobody will decide.
func (a *pending) cancel() { a.agent.answer(a.rpcID, cancelledOutcome) }

// settle answers a question with a decision.
func (a *pending) settle(d frames.Decision) {
	yes := d == frames.AcceptOnce || d == frames.AcceptForSession
	id := a.pick(d)
	if !yes || id == "" {
		a.turn.decline(a.call.ToolCallID)
	}
	if id == "" {
		a.agent.cfg.Logger.Warn("the agent offers no answer for this decision", "decision", d)
		a.cancel()
		return
	}
	a.agent.answer(a.rpcID, selectedOutcome(id))
}

// pick chooses among the options by their kind; their order and their names
// differ from agent to agent. An "always" is the agent's own, may be kept for
// ever, and may outrank Read Only: it is taken only for an acceptance for the
// session where the agent has no "once".
func (a *pending) pick(d frames.Decision) string {
	var kinds []sdk.PermissionOptionKind
	switch d {
	case frames.AcceptOnce:
		kinds = []sdk.PermissionOptionKind{sdk.PermissionOptionKindAllowOnce}
	case frames.AcceptForSession:
		kinds = []sdk.PermissionOptionKind{sdk.PermissionOptionKindAllowOnce, sdk.PermissionOptionKindAllowAlways}
	default:
		kinds = []sdk.PermissionOptionKind{sdk.PermissionOptionKindRejectOnce, sdk.PermissionOptionKindRejectAlways}
	}
	for _, kind := range kinds {
		for _, o := range a.options {
			if o.Kind == string(kind) && o.ID != "" {
				return o.ID
			}
		}
	}
	return ""
}

// decline notes that a tool call was not allowed.
func (t *turn) decline(toolCallID string) {
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	t.declined[toolCallID] = true
}

// asked implements listener: the agent asks for permission. Its tool call may not
// have been told of yet.
func (s *session) asked(id json.RawMessage, p *permission) {
	s.touch()
	t := s.stream.Load()
	a := s.running()
	if a == nil {
		return // its end answers everything
	}
	if t == nil || p.SessionID != a.session() {
		a.answer(id, cancelledOutcome)
		return
	}
	c := t.find(&p.ToolCall)
	t.announce(c)
	ask := &pending{agent: a, turn: t, rpcID: id, call: *c, options: p.Options}
	switch t.policy(&ask.call) {
	case allow:
		ask.settle(frames.AcceptOnce)
	case refuse:
		ask.settle(frames.Decline)
	default:
		t.raise(ask)
	}
}

// raise puts a question to the user, unless the turn was cancelled.
func (t *turn) raise(ask *pending) {
	ask.id = t.s.number("approval")
	t.s.mu.Lock()
	cancelled := t.cancelled
	if !cancelled {
		t.s.pending[ask.id] = ask
	}
	t.s.mu.Unlock()
	if cancelled {
		ask.cancel()
		return
	}
	t.push(provider.ApprovalEvent{
		ID: ask.id, Kind: ask.call.approvalKind(), Summary: ask.call.summary(), Detail: ask.call.detail(),
	})
}

// verdict is what an access mode says to a question.
type verdict int

const (
	ask verdict = iota
	allow
	refuse
)

// policy decides what the user is not asked about.
func (t *turn) policy(c *toolCall) verdict {
	class := c.class()
	switch t.opts.Access {
	case frames.AccessReadOnly:
		switch {
		case class != reads:
			return refuse
		case c.inside():
			return allow
		}
		return ask
	case frames.AccessAutoReview:
		if class == changes && c.ToolKind != "delete" && c.ToolKind != "move" && c.inside() {
			return allow
		}
	case frames.AccessAsk:
	default:
		return refuse
	}
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	if t.s.granted[c.grant()] {
		return allow
	}
	return ask
}

// class is what a call does, by all that it says: not by its kind alone, which
// some agents leave out.
type class int

const (
	acts    class = iota // runs something, or nobody knows
	changes              // changes files
	reads                // reads, searches or thinks
)

func (c *toolCall) class() class {
	switch {
	case c.ToolKind == "execute" || c.command() != "":
		return acts
	case c.ToolKind == "edit" || c.ToolKind == "delete" || c.ToolKind == "move" || c.hasDiff():
		return changes
	case c.ToolKind == "read" || c.ToolKind == "search" || c.ToolKind == "think":
		return reads
	}
	return acts
}

func (c *toolCall) hasDiff() bool {
	for _, b := range blocks(c.Content) {
		if b.Type == "diff" {
			return true
		}
	}
	return false
}

// approvalKind is the kind as the C64 knows it.
func (c *toolCall) approvalKind() frames.ApprovalKind {
	if c.class() == acts {
		return frames.KindCommand
	}
	return frames.KindFile
}

// grant is what an acceptance for the session covers: the same command, or the
// same kind of change to the same files.
func (c *toolCall) grant() string {
	if command := c.command(); command != "" {
		return "command\x00" + c.input().Cwd + "\x00" + command
	}
	paths := c.paths()
	sort.Strings(paths)
	if len(paths) == 0 {
		paths = []string{c.Title, string(c.RawInput)}
	}
	return c.ToolKind + "\x00" + strings.Join(paths, "\x00")
}

package codex

import (
	"encoding/json"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// commandAsk are the parameters of a command's approval.
type commandAsk struct {
	Kind    string `json:"kind"`
	ItemID  string `json:"itemId"`
	Reason  string `json:"reason"`
	Command string `json:"command"`
	Cwd     string `json:"cwd"`
	Network *struct {
		Host     string `json:"host"`
		Protocol string `json:"protocol"`
	} `json:"networkApprovalContext"`
	Permissions json.RawMessage `json:"additionalPermissions"`
}

// askCommand asks about a command: the command as it will run, without the
// wrapper, and where and why.
func (s *session) askCommand(t *turn, m *message) {
	a := decode[commandAsk](m.Params)
	command := bareCommand(a.Command)
	var d detail
	d.metadata(a.Reason)
	switch {
	case a.Network != nil:
		d.metadata("network: " + a.Network.Protocol + " " + a.Network.Host)
	case a.Kind == "writeStdin":
		d.metadata("typed into a command that runs:")
	}
	d.context(command)
	if a.Cwd != "" && s.relative(a.Cwd) != "." {
		d.metadata("in " + s.relative(a.Cwd))
	}
	d.permissions(a.Permissions)
	s.raise(t, m, provider.ApprovalEvent{
		Kind: frames.KindCommand, Summary: commandSummary(a, command), Detail: d.whole(),
	}, ask{answer: decided, keys: a.keys()})
}

// keys covers the very same command in the same place with the same wishes, and
// nothing that is typed into one.
func (a commandAsk) keys() []string {
	if a.Kind == "writeStdin" || (a.Command == "" && a.Network == nil) {
		return nil
	}
	host := ""
	if a.Network != nil {
		host = a.Network.Protocol + " " + a.Network.Host
	}
	return []string{keyOf("command", a.Command, a.Cwd, host, string(a.Permissions))}
}

func commandSummary(a commandAsk, command string) string {
	switch {
	case a.Network != nil:
		return oneLine("network: " + a.Network.Host)
	case command == "":
		return "a command that Codex does not name"
	case a.Kind == "writeStdin":
		return oneLine("type: " + command)
	}
	return oneLine(command)
}

// askFiles asks about a patch. The request has no diff: the item that was
// started before it does.
func (s *session) askFiles(t *turn, m *message) {
	a := decode[struct{ ItemID, Reason, GrantRoot string }](m.Params)
	var changes []change
	if o := t.items[a.ItemID]; o != nil {
		changes = o.changes
	}
	var d detail
	d.metadata(a.Reason)
	if a.GrantRoot != "" {
		d.metadata("and all of " + a.GrantRoot + " for the session")
	}
	var keys []string
	for _, c := range changes {
		d.change(s, c)
		keys = append(keys, keyOf("file", c.Path, c.Kind.MovePath))
	}
	if a.GrantRoot != "" {
		keys = nil // more than these files
	}
	if len(changes) == 0 {
		d.metadata("Codex does not say what it would change.")
	}
	s.raise(t, m, provider.ApprovalEvent{
		Kind: frames.KindFile, Summary: s.changesLabel(changes), Detail: d.whole(),
	}, ask{answer: decided, keys: keys})
}

// askPermissions asks about wider permissions; a decline grants none of them.
func (s *session) askPermissions(t *turn, m *message) {
	a := decode[struct {
		Reason, Cwd string
		Permissions json.RawMessage
	}](m.Params)
	var d detail
	d.metadata(a.Reason)
	d.permissions(a.Permissions)
	kind := frames.KindFile
	if decode[struct{ Network *struct{ Enabled bool } }](a.Permissions).Network != nil {
		kind = frames.KindCommand
	}
	lines := d.whole()
	s.raise(t, m, provider.ApprovalEvent{
		Kind: kind, Summary: oneLine("permission: " + lines[len(lines)-1].Text), Detail: lines,
	}, ask{keys: []string{keyOf("permissions", string(a.Permissions))}, answer: func(dec frames.Decision) any {
		switch dec {
		case frames.AcceptOnce:
			return map[string]any{"permissions": a.Permissions, "scope": "turn"}
		case frames.CancelTurn:
			return nil
		}
		return map[string]any{"permissions": struct{}{}, "scope": "turn"}
	}})
}

// toolAsk are the parameters of an MCP server's question.
type toolAsk struct {
	ServerName string `json:"serverName"`
	Mode       string `json:"mode"`
	Message    string `json:"message"`
	URL        string `json:"url"`
	Meta       struct {
		Kind   string          `json:"codex_approval_kind"`
		Name   string          `json:"tool_name"`
		Tool   string          `json:"tool_description"`
		Params json.RawMessage `json:"tool_params"`
	} `json:"_meta"`
	Schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	} `json:"requestedSchema"`
}

// askTool asks about a tool of an MCP server. A form that wants to be filled in
// cannot be on a C64, nor can a page be opened: those are shown and declined.
func (s *session) askTool(t *turn, m *message) {
	a := decode[toolAsk](m.Params)
	if (a.Mode != "" && a.Mode != "form") || len(a.Schema.Properties) > 0 {
		s.srv.c.respond(m.ID, map[string]any{"action": "decline", "content": nil, "_meta": nil})
		s.noteFailed(t, oneLine("Declined, as it needs a form: "+a.ServerName+": "+a.Message))
		return
	}
	var d detail
	d.metadata(a.Message)
	d.metadata(a.Meta.Tool)
	if p := a.Meta.Params; len(p) > 0 && string(p) != "null" {
		d.context(indented(p))
	}
	s.raise(t, m, provider.ApprovalEvent{
		Kind: frames.KindCommand, Summary: oneLine(a.ServerName + ": " + a.Message), Detail: d.whole(),
	}, ask{keys: a.keys(), answer: func(dec frames.Decision) any {
		switch dec {
		case frames.AcceptOnce:
			return map[string]any{"action": "accept", "content": struct{}{}, "_meta": nil}
		case frames.CancelTurn:
			return nil
		}
		return map[string]any{"action": "decline", "content": nil, "_meta": nil}
	}})
}

// keys covers the tool, whatever it is given: that is what a user of Codex
// accepts for a session.
func (a toolAsk) keys() []string {
	if a.Meta.Kind != "mcp_tool_call" || a.Meta.Name == "" {
		return nil
	}
	return []string{keyOf("tool", a.ServerName, a.Meta.Name)}
}

package codex

import (
	"encoding/json"
	"fmt"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// ask is a question of the server that waits for Decide.
type ask struct {
	request json.RawMessage           // its id, which may be 0
	answer  func(frames.Decision) any // nil: the interrupt is the answer
	keys    []string                  // what an acceptance for the session covers
}

// request takes a request of the server. One of a turn that is not ours is for
// another client; what nobody knows is shown and declined.
func (s *session) request(m *message, sc scope) {
	t := s.current()
	if t == nil || !t.sent || (sc.TurnID != "" && sc.TurnID != t.id) {
		if s.foreignTurn() {
			return
		}
		s.srv.c.refuse(m.ID, codeInvalidRequest, "the turn is over")
		return
	}
	s.watcher.sign(s)
	switch m.Method {
	case "item/commandExecution/requestApproval":
		s.askCommand(t, m)
	case "item/fileChange/requestApproval":
		s.askFiles(t, m)
	case "item/permissions/requestApproval":
		s.askPermissions(t, m)
	case "mcpServer/elicitation/request":
		s.askTool(t, m)
	case "item/tool/requestUserInput":
		s.askQuestion(t, m)
	default:
		s.srv.c.refuse(m.ID, codeNoSuchMethod, refusalOf(m.Method))
		s.noteDeclined(m.Method)
	}
}

// refusalOf is what the server reads.
func refusalOf(method string) string {
	return "this client cannot answer " + method
}

// noteDeclined is what the user reads, if a turn runs.
func (s *session) noteDeclined(method string) {
	if t := s.current(); t != nil {
		s.noteFailed(t, "Declined what this bridge does not know: "+method)
	}
}

// raise asks the user, unless all that is asked for was accepted for the session
// before. In a turn that was cancelled nobody is asked, and the server gets no
// answer but the interrupt.
//
// An acceptance for the session is kept here and not in Codex: there it lasts
// as long as the server has the thread in memory, which a new session of the
// same thread would inherit.
func (s *session) raise(t *turn, m *message, ev provider.ApprovalEvent, a ask) {
	s.nextID++
	ev.ID = fmt.Sprintf("approval-%d", s.nextID)
	a.request = m.ID
	if s.mustAsk(t, ev.ID, &a) {
		s.push(t, ev)
	}
}

// mustAsk notes a question that the user has to answer; false: nobody has to.
func (s *session) mustAsk(t *turn, id string, a *ask) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	cancelled := t.cancelled || s.dead
	granted := !cancelled && t.opts.Access != frames.AccessReadOnly && s.hasGranted(a.keys)
	switch {
	case granted:
		s.srv.c.respond(a.request, a.answer(frames.AcceptOnce))
	case !cancelled:
		s.pending[id] = a
		return true
	}
	return false
}

// hasGranted reports whether all of it was accepted. The caller holds mu.
func (s *session) hasGranted(keys []string) bool {
	for _, key := range keys {
		if !s.granted[key] {
			return false
		}
	}
	return len(keys) > 0
}

// keyOf names what is asked for; equal questions have equal names.
func keyOf(parts ...string) string { return fmt.Sprintf("%q", parts) }

// resolved learns that a request was answered. If that was not by us, another
// client did, or the server withdrew it.
func (s *session) resolved(params json.RawMessage) {
	id := decode[struct{ RequestID json.RawMessage }](params).RequestID
	s.mu.Lock()
	gone := ""
	for approval, a := range s.pending {
		if string(a.request) == string(id) {
			gone = approval
			delete(s.pending, approval)
		}
	}
	s.mu.Unlock()
	if gone != "" {
		s.put(provider.ApprovalGoneEvent{ID: gone, Reason: "Codex no longer asks."})
	}
}

// decided is the answer to the approvals of commands and files. Two more are
// never sent: to accept for the session, see raise; and to let commands like
// this one run for ever, which would write a rule that lifts the sandbox in
// every mode.
func decided(d frames.Decision) any {
	word := "decline"
	switch d {
	case frames.AcceptOnce:
		word = "accept"
	case frames.CancelTurn:
		word = "cancel"
	}
	return map[string]string{"decision": word}
}

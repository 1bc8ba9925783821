package codex

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// message is one message of the app-server: JSON-RPC 2.0 without the jsonrpc
// member. A request has an id and a method, a notification a method alone, an
// answer an id alone. The server's own requests count from 0, so that an id is
// absent only where there is none.
type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *rpcError       `json:"error,omitempty"`

	gone bool // not an answer: the server died first
}

// rpcError is the refusal of a request.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Codes of rpcError.
const (
	codeInvalidRequest = -32600 // what the app-server says to nearly everything
	codeNoSuchMethod   = -32601
)

func (e *rpcError) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Code) }

// failure is the error of an answer, errGone if there will be none.
func (m *message) failure() error {
	switch {
	case m.gone:
		return errGone
	case m.Error != nil:
		return m.Error
	}
	return nil
}

// hasID reports whether the message carries an id, 0 included.
func (m *message) hasID() bool {
	return len(m.ID) > 0 && !bytes.Equal(m.ID, []byte("null"))
}

// size is what a message costs while it waits.
func (m *message) size() int {
	return len(m.Params) + len(m.Result) + len(m.Method) + len(m.ID)
}

// decode reads parameters or a result. What cannot be read stays zero: a newer
// server may send other shapes, and nothing of ours may fail for that.
func decode[T any](raw json.RawMessage) T {
	var v T
	if len(raw) > 0 && json.Unmarshal(raw, &v) != nil {
		// The members that were read before the fault are kept.
		return v
	}
	return v
}

// scope names what a message belongs to.
type scope struct {
	ThreadID string `json:"threadId"`
	TurnID   string `json:"turnId"`
	// The turn's own notifications carry it whole, the old requests have
	// another name for the thread.
	Turn           *struct{ ID string } `json:"turn"`
	ConversationID string               `json:"conversationId"`
}

// scopeOf reads a message's thread and turn.
func scopeOf(params json.RawMessage) scope {
	s := decode[scope](params)
	if s.ThreadID == "" {
		s.ThreadID = s.ConversationID
	}
	if s.TurnID == "" && s.Turn != nil {
		s.TurnID = s.Turn.ID
	}
	return s
}

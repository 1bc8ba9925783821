package acp

import (
	"encoding/json"
	"errors"
)

// The shapes below are what this package reads of an agent's messages. They are
// looser than the SDK's on purpose: a field of an unexpected type costs that
// field and not the message, and an unknown kind stays recognizable as such.

// message is any JSON-RPC message.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// notification is the params of session/update.
type notification struct {
	SessionID string          `json:"sessionId"`
	Update    json.RawMessage `json:"update"`
}

// update is every kind of session/update in one.
type update struct {
	Kind      string `json:"sessionUpdate"`
	MessageID string `json:"messageId"`
	toolFields
	Entries       []planEntry    `json:"entries"`
	Used          *int64         `json:"used"`
	Size          *int64         `json:"size"`
	CurrentModeID string         `json:"currentModeId"`
	ConfigOptions []configOption `json:"configOptions"`
}

// toolFields are a tool call as updates and permissions carry it; Content is a
// list here and one block in a message chunk.
type toolFields struct {
	ToolCallID string          `json:"toolCallId"`
	Title      string          `json:"title"`
	ToolKind   string          `json:"kind"`
	Status     string          `json:"status"`
	RawInput   json.RawMessage `json:"rawInput"`
	Content    json.RawMessage `json:"content"`
	Locations  []struct {
		Path string `json:"path"`
	} `json:"locations"`
}

// permission is the params of session/request_permission.
type permission struct {
	SessionID string     `json:"sessionId"`
	ToolCall  toolFields `json:"toolCall"`
	Options   []option   `json:"options"`
}

type option struct {
	ID   string `json:"optionId"`
	Kind string `json:"kind"`
}

type planEntry struct {
	Content string `json:"content"`
	Status  string `json:"status"`
}

// block is a content block of a message, or an element of a tool's content.
type block struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Name     string `json:"name"`
	URI      string `json:"uri"`
	Resource struct {
		Text string `json:"text"`
		URI  string `json:"uri"`
	} `json:"resource"`
	Content *block  `json:"content"` // of a tool's content element
	Path    string  `json:"path"`
	OldText *string `json:"oldText"`
	NewText string  `json:"newText"`
}

// hello is the answer to initialize.
type hello struct {
	ProtocolVersion int `json:"protocolVersion"`
	AgentInfo       struct {
		Name    string `json:"name"`
		Title   string `json:"title"`
		Version string `json:"version"`
	} `json:"agentInfo"`
	AgentCapabilities struct {
		LoadSession         bool `json:"loadSession"`
		SessionCapabilities struct {
			List   *struct{} `json:"list"`
			Resume *struct{} `json:"resume"`
		} `json:"sessionCapabilities"`
	} `json:"agentCapabilities"`
	AuthMethods []authMethod `json:"authMethods"`
}

type authMethod struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
}

// sessionState is the answer to session/new, load and resume.
type sessionState struct {
	SessionID string `json:"sessionId"`
	Modes     struct {
		CurrentModeID  string `json:"currentModeId"`
		AvailableModes []struct {
			ID string `json:"id"`
		} `json:"availableModes"`
	} `json:"modes"`
	ConfigOptions []configOption `json:"configOptions"`
}

type configOption struct {
	ID           string        `json:"id"`
	Category     string        `json:"category"`
	CurrentValue any           `json:"currentValue"`
	Options      []configValue `json:"options"`
}

// configValue is a value, or a group of values.
type configValue struct {
	Value   string        `json:"value"`
	Options []configValue `json:"options"`
}

// promptResult is the answer to session/prompt: the turn's end.
type promptResult struct {
	StopReason string `json:"stopReason"`
	Usage      struct {
		TotalTokens int64 `json:"totalTokens"`
	} `json:"usage"`
}

// decode reads what fits of a message; a field of another type is left out.
func decode(data []byte, into any) error {
	err := json.Unmarshal(data, into)
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) {
		return nil
	}
	return err
}

// blocks reads a tool's content.
func blocks(raw json.RawMessage) []block {
	var list []block
	if len(raw) == 0 || decode(raw, &list) != nil {
		return nil
	}
	return list
}

package codextest

import (
	"encoding/json"
	"slices"
)

func invalid(words string) *fault { return &fault{Code: -32600, Message: words} }

// params are the members of the requests that are looked at.
type params struct {
	ThreadID string          `json:"threadId"`
	TurnID   string          `json:"turnId"`
	Process  string          `json:"processId"`
	Cwd      json.RawMessage `json:"cwd"`
	Type     string          `json:"type"`
	Input    []struct{ Text string }
	Approval string                `json:"approvalPolicy"`
	Reviewer string                `json:"approvalsReviewer"`
	Sandbox  struct{ Type string } `json:"sandboxPolicy"`
	Summary  string                `json:"summary"`
}

// do does a request.
func (s *Server) do(m *message) (any, *fault) {
	var p params
	_ = json.Unmarshal(m.Params, &p) // a member of another shape stays empty
	if m.Method == "initialize" {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.ready {
			return nil, invalid("Already initialized")
		}
		s.ready = true
		return map[string]any{"userAgent": "prompt64/" + Version + " (pretended)", "codexHome": s.Home}, nil
	}
	s.mu.Lock()
	ready := s.ready
	s.mu.Unlock()
	if !ready {
		return nil, invalid("Not initialized")
	}
	switch m.Method {
	case "account/read":
		return s.account(), nil
	case "account/login/start", "account/login/cancel", "account/logout":
		return s.login(m.Method, p.Type)
	case "thread/start":
		var cwd string
		_ = json.Unmarshal(p.Cwd, &cwd)
		return map[string]any{"thread": s.newThread(cwd).public()}, nil
	case "thread/list":
		return map[string]any{"data": s.list(p.Cwd)}, nil
	}
	t, f := s.thread(p.ThreadID)
	if f != nil {
		return nil, f
	}
	return s.doInThread(m.Method, t, p)
}

func (s *Server) doInThread(method string, t *thread, p params) (any, *fault) {
	switch method {
	case "thread/resume":
		return map[string]any{"thread": t.public()}, nil
	case "thread/turns/list":
		return map[string]any{"data": t.newestFirst(), "nextCursor": nil}, nil
	case "thread/unsubscribe":
		return map[string]any{"status": "unsubscribed"}, nil
	case "turn/start":
		return s.startTurn(t, p)
	case "turn/interrupt":
		return struct{}{}, t.interruptTurn(p.TurnID)
	case "thread/backgroundTerminals/list":
		return map[string]any{"data": t.terminals()}, nil
	case "thread/backgroundTerminals/terminate":
		return map[string]any{"terminated": t.terminate(p.Process)}, nil
	case "thread/backgroundTerminals/clean":
		t.terminate("")
		return struct{}{}, nil
	}
	return nil, invalid("Invalid request: unknown variant `" + method + "`")
}

// after does what comes behind an answer.
func (s *Server) after(m *message) {
	var p params
	_ = json.Unmarshal(m.Params, &p)
	switch m.Method {
	case "turn/start":
		if t, f := s.thread(p.ThreadID); f == nil {
			s.runTurn(t)
		}
	case "account/login/start":
		if p.Type == "apiKey" {
			s.notify("account/login/completed", map[string]any{"loginId": nil, "success": true, "error": nil})
			s.notify("account/updated", map[string]any{"authMode": "apikey"})
		}
	}
}

func (s *Server) account() any {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.SignedOut {
		return map[string]any{"account": nil, "requiresOpenaiAuth": true}
	}
	return map[string]any{"account": map[string]string{"type": "apiKey"}, "requiresOpenaiAuth": true}
}

// The device code that it hands out.
const (
	DeviceURL  = "https://auth.example.invalid/codex/device"
	DeviceCode = "C64A-BCDE"
	deviceID   = "login-1"
)

func (s *Server) login(method, kind string) (any, *fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case method == "account/logout":
		s.SignedOut = true
		return struct{}{}, nil
	case method == "account/login/cancel":
		return map[string]string{"status": "canceled"}, nil
	case kind == "apiKey":
		s.SignedOut = false
		return map[string]string{"type": kind}, nil
	}
	return map[string]string{"type": kind, "loginId": deviceID, "verificationUrl": DeviceURL, "userCode": DeviceCode}, nil
}

// FinishLogin ends the sign-in by device code; an empty reason is success.
func (s *Server) FinishLogin(reason string) {
	s.mu.Lock()
	if reason == "" {
		s.SignedOut = false
	}
	s.mu.Unlock()
	s.notify("account/login/completed", map[string]any{"loginId": deviceID, "success": reason == "", "error": reason})
	if reason == "" {
		s.notify("account/updated", map[string]any{"authMode": "chatgpt"})
	}
}

// list lists the stored threads of some folders, newest first.
func (s *Server) list(cwd json.RawMessage) []any {
	var folders []string
	if json.Unmarshal(cwd, &folders) != nil {
		var one string
		_ = json.Unmarshal(cwd, &one)
		folders = []string{one}
	}
	found := []any{}
	for _, r := range s.stored() {
		if slices.Contains(folders, r.Cwd) {
			found = append(found, r.public())
		}
	}
	return found
}

package acptest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"
)

// agent is the scripted agent.
type agent struct {
	o     Options
	w     *wire
	store *store

	mu       sync.Mutex
	signedIn bool
	lost     int
	sessions map[string]*session
}

// session is an open session.
type session struct {
	a    *agent
	id   string
	cwd  string
	stop context.CancelFunc // of the turn that runs

	later   <-chan json.RawMessage // the answer to the command "later"
	laterID int

	mu     sync.Mutex
	mode   string
	always map[string]bool // what was allowed for ever
	failed time.Time       // when a turn failed last
}

// request is what the client's requests carry, all in one.
type request struct {
	SessionID string `json:"sessionId"`
	Cwd       string `json:"cwd"`
	ModeID    string `json:"modeId"`
	ConfigID  string `json:"configId"`
	Value     string `json:"value"`
	MethodID  string `json:"methodId"`
	Prompt    []struct {
		Text string `json:"text"`
	} `json:"prompt"`
}

// serve runs the agent until its input ends.
func serve(o Options, in io.Reader, out io.Writer) int {
	a := &agent{
		o: o, w: newWire(in, out, o.Tell), store: &store{dir: o.State},
		signedIn: !o.SignIn, sessions: map[string]*session{},
	}
	if o.Start == "noise" {
		a.w.raw("Welcome to the agent!")
		a.w.raw(`{"half": `)
		fmt.Fprintf(os.Stderr, "%070000d\nwarning: all is well\n", 0)
	}
	for {
		m, err := a.w.next()
		if err != nil {
			return 0
		}
		var r request
		_ = json.Unmarshal(m.Params, &r)
		a.handle(m, &r)
	}
}

func (a *agent) handle(m *incoming, r *request) {
	switch m.Method {
	case "initialize":
		a.w.answer(m.ID, a.hello())
	case "authenticate":
		a.mu.Lock()
		a.signedIn = r.MethodID == a.o.SignInMethod
		a.mu.Unlock()
		a.w.answer(m.ID, object{})
	case "session/new":
		a.open(m, r)
	case "session/load", "session/resume":
		a.reopen(m, r)
	case "session/list":
		a.w.answer(m.ID, object{"sessions": a.store.list(r.Cwd)})
	case "session/set_mode", "session/set_config_option":
		a.setMode(m, r)
	case "session/prompt":
		a.prompt(m, r)
	case "session/cancel":
		a.cancel(r)
	default:
		if m.ID != nil {
			a.w.fail(m.ID, -32601, "Method not found", nil)
		}
	}
}

func (a *agent) hello() object {
	version := max(a.o.Version, 1)
	can := object{}
	if !a.o.NoList {
		can["list"] = object{}
	}
	if !a.o.NoResume {
		can["resume"] = object{}
	}
	return object{
		"protocolVersion":   version,
		"agentInfo":         object{"name": "acptest", "version": "1.2.3"},
		"agentCapabilities": object{"loadSession": !a.o.NoLoad, "sessionCapabilities": can},
		"authMethods": []object{
			{"id": "test-login", "name": "Log in", "description": "Run `acptest login` in a terminal"},
			{"id": "test-key", "name": "A key"},
		},
	}
}

func (a *agent) open(m *incoming, r *request) {
	a.mu.Lock()
	signedIn := a.signedIn
	a.mu.Unlock()
	if !signedIn {
		a.w.fail(m.ID, -32000, "Authentication required", nil)
		return
	}
	s := a.add(a.store.newID(), r.Cwd)
	a.w.answer(m.ID, a.state(s))
}

func (a *agent) add(id, cwd string) *session {
	s := &session{a: a, id: id, cwd: cwd, always: map[string]bool{}}
	if len(a.o.Modes) > 0 {
		s.mode = a.o.Modes[0]
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sessions[id] = s
	return s
}

// state is what session/new and load answer with.
func (a *agent) state(s *session) object {
	o := object{"sessionId": s.id}
	if len(a.o.Modes) == 0 {
		return o
	}
	var modes, values []object
	for _, m := range a.o.Modes {
		modes = append(modes, object{"id": m, "name": m})
		values = append(values, object{"value": m, "name": m})
	}
	if a.o.ModeOption {
		o["configOptions"] = []object{
			{"id": "mode", "category": "mode", "type": "select", "currentValue": s.mode, "options": values},
			{"id": "allow_all", "category": "permissions", "type": "select", "currentValue": "on",
				"options": []object{{"value": "on"}, {"value": "off"}}},
		}
	} else {
		o["modes"] = object{"currentModeId": s.mode, "availableModes": modes}
	}
	return o
}

func (a *agent) reopen(m *incoming, r *request) {
	stored := a.store.read(r.SessionID)
	if stored == nil || a.o.Forget {
		a.w.fail(m.ID, -32603, "Internal error", object{"details": "No previous sessions found for this project."})
		return
	}
	s := a.add(r.SessionID, r.Cwd)
	if m.Method == "session/load" {
		for _, t := range stored.Turns {
			a.w.update(s.id, object{"sessionUpdate": "user_message_chunk", "content": text(t.Prompt)})
			a.w.update(s.id, object{"sessionUpdate": "agent_message_chunk", "content": text(t.Answer)})
		}
	}
	a.w.answer(m.ID, a.state(s))
}

func (a *agent) find(id string) *session {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.sessions[id]
}

func (a *agent) setMode(m *incoming, r *request) {
	mode := r.ModeID
	if m.Method == "session/set_config_option" {
		if r.ConfigID != "mode" {
			a.w.answer(m.ID, object{})
			return
		}
		mode = r.Value
	}
	if s := a.find(r.SessionID); s != nil && slices.Contains(a.o.Modes, mode) && !a.o.StuckMode {
		s.mu.Lock()
		s.mode = mode
		s.mu.Unlock()
		a.w.answer(m.ID, object{})
		return
	}
	a.w.fail(m.ID, -32602, "Invalid params", nil)
}

func (a *agent) cancel(r *request) {
	a.mu.Lock()
	a.lost++
	lost := a.lost <= a.o.LoseCancel
	s := a.sessions[r.SessionID]
	a.mu.Unlock()
	if s == nil || lost {
		return
	}
	s.mu.Lock()
	stop := s.stop
	s.mu.Unlock()
	if stop != nil {
		stop()
	}
}

// text is a content block.
func text(s string) object { return object{"type": "text", "text": s} }

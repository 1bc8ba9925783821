package acptest

import (
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// recordings are sessions of real agents, with the model faked.
//
//go:embed recordings/*.jsonl
var recordings embed.FS

// Recorded is one message of a recording.
type Recorded struct {
	Dir string          // "->" to the agent, "<-" from it
	Msg json.RawMessage // the whole message
	// What the message has of these.
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Error  json.RawMessage `json:"error"`
}

// Recording reads a recording by its name, such as "opencode".
func Recording(name string) ([]Recorded, error) {
	data, err := recordings.ReadFile("recordings/" + name + ".jsonl")
	if err != nil {
		return nil, fmt.Errorf("read recording: %w", err)
	}
	var all []Recorded
	for line := range strings.Lines(string(data)) {
		var kept struct {
			Dir string          `json:"dir"`
			Msg json.RawMessage `json:"msg"`
		}
		var m incoming
		err := json.Unmarshal([]byte(line), &kept)
		if err == nil {
			err = json.Unmarshal(kept.Msg, &m)
		}
		if err != nil {
			return nil, fmt.Errorf("decode recording %s: %w", name, err)
		}
		all = append(all, Recorded{kept.Dir, kept.Msg, m.ID, m.Method, m.Params, m.Error})
	}
	return all, nil
}

// player plays the agent's side of a recording.
type player struct {
	w    *wire
	all  []Recorded
	used map[int]bool // requests of the client that were played
	// The recorded workspace is told as the client's.
	cwd, asCwd string
}

// play plays a recording until its input ends. Each request of the client is
// answered as the next recorded one of its method was, with all that the agent
// sent up to the client's next request. What was not recorded gets an empty
// answer.
func play(o Options, in io.Reader, out io.Writer) int {
	all, err := Recording(o.Recording)
	if err != nil {
		return 2
	}
	p := &player{w: newWire(in, out, o.Tell), all: all, used: map[int]bool{}}
	for _, r := range all {
		var params request
		if _ = json.Unmarshal(r.Params, &params); r.Method == "session/new" {
			p.cwd = params.Cwd
		}
	}
	for {
		m, err := p.w.next()
		if err != nil {
			return 0
		}
		if m.ID == nil {
			continue
		}
		var r request
		if _ = json.Unmarshal(m.Params, &r); r.Cwd != "" {
			p.asCwd = r.Cwd
		}
		if i := p.find(m.Method); i >= 0 {
			p.answer(i, m.ID)
		} else {
			p.w.answer(m.ID, object{})
		}
	}
}

func (p *player) find(method string) int {
	for i, r := range p.all {
		if r.Dir == "->" && r.Method == method && !p.used[i] {
			p.used[i] = true
			return i
		}
	}
	return -1
}

// answer plays what followed a request. At an answer of the client, and at its
// cancel, it waits for the same of this one.
func (p *player) answer(at int, id json.RawMessage) {
	asked := string(p.all[at].ID)
	for _, r := range p.all[at+1:] {
		switch {
		case r.Dir == "->" && r.Method == "session/cancel":
			if m, err := p.w.next(); err != nil || m.Method != r.Method {
				return
			}
		case r.Dir == "->" && r.Method == "":
			p.await(r.ID)
		case r.Dir == "->":
			return
		case r.Method == "" && string(r.ID) == asked:
			p.raw(withID(r.Msg, id))
		default:
			p.raw(string(r.Msg))
		}
	}
}

// raw sends a recorded line.
func (p *player) raw(line string) {
	if p.cwd != "" && p.asCwd != "" {
		line = strings.ReplaceAll(line, p.cwd, p.asCwd)
	}
	p.w.raw(line)
}

// await reads the client's answer to a recorded request of the agent.
func (p *player) await(id json.RawMessage) {
	for {
		line, err := p.w.in.ReadBytes('\n')
		if err != nil {
			return
		}
		var m incoming
		if json.Unmarshal(line, &m) == nil && m.Method == "" && string(m.ID) == string(id) {
			return
		}
	}
}

// withID gives a recorded response the id of the request that is answered.
func withID(msg, id json.RawMessage) string {
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(msg, &fields) // it was decoded before
	fields["id"] = id
	out, _ := json.Marshal(fields)
	return string(out)
}

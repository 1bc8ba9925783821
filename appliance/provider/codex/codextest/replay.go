package codextest

import (
	"bufio"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"sync"
)

//go:embed recordings/*.jsonl
var recordings embed.FS

// Recordings names the recorded sessions of the real program.
func Recordings() []string {
	files, err := recordings.ReadDir("recordings")
	if err != nil {
		panic(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".jsonl"))
	}
	return names
}

// entry is one line of a recording.
type entry struct {
	Dir string          `json:"dir"` // "->" to the server, "<-" from it
	Raw json.RawMessage `json:"msg"`
	msg message
}

// Step is something that the client of a recording did.
type Step struct {
	Method string // empty for an answer
	Thread string // thread/resume, turn/start, turn/interrupt
	Cwd    string // thread/start, thread/resume
	Prompt string // turn/start
	Result json.RawMessage
}

// Replay plays a recorded session to a client: after each thing that the client
// of the recording did and this one does too, it sends what the real program
// sent then. What a client of ours never sends is passed over, and what this one
// sends beyond the recording gets an empty answer.
type Replay struct {
	entries []entry

	mu    sync.Mutex
	w     io.Writer
	pos   int               // the step that is waited for
	shown int               // the step that Next returned last
	ids   map[string]string // of requests: recorded to real
	moved chan struct{}     // closed, and made anew, when pos moves
}

// NewReplay reads a recording.
func NewReplay(name string) (*Replay, error) {
	file, err := recordings.Open(path.Join("recordings", name+".jsonl"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r := &Replay{ids: map[string]string{}, moved: make(chan struct{}), shown: -1}
	dec := json.NewDecoder(file)
	for {
		var e entry
		if err := dec.Decode(&e); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("recording %s: %w", name, err)
		}
		if err := json.Unmarshal(e.Raw, &e.msg); err != nil {
			return nil, fmt.Errorf("recording %s: %w", name, err)
		}
		r.entries = append(r.entries, e)
	}
	r.dropForeign()
	return r, nil
}

// dropForeign takes out what a client of ours never sends, with its answers.
func (r *Replay) dropForeign() {
	turns := map[string]bool{}
	r.entries = slices.DeleteFunc(r.entries, func(e entry) bool {
		if e.Dir != "->" {
			return false
		}
		switch e.msg.Method {
		case "initialize", "thread/resume", "account/login/start", "account/login/cancel", "":
			return false
		case "thread/start":
			return strings.Contains(string(e.Raw), `"ephemeral"`)
		case "turn/start":
			id := r.turnID(e)
			steer := turns[id]
			turns[id] = true
			return steer
		case "turn/interrupt":
			answer := r.answerTo(e)
			return answer == nil || answer.Error != nil
		}
		return true
	})
}

// answerTo finds the answer to a request.
func (r *Replay) answerTo(e entry) *message {
	for i := range r.entries {
		m := &r.entries[i].msg
		if r.entries[i].Dir == "<-" && m.Method == "" && string(m.ID) == string(e.msg.ID) {
			return m
		}
	}
	return nil
}

func (r *Replay) turnID(e entry) string {
	answer := r.answerTo(e)
	if answer == nil {
		return string(e.msg.ID)
	}
	var result struct{ Turn struct{ ID string } }
	_ = json.Unmarshal(answer.Result, &result)
	return result.Turn.ID
}

// Serve plays to a client.
func (r *Replay) Serve(in io.Reader, w io.WriteCloser) error {
	r.mu.Lock()
	r.w = w
	r.mu.Unlock()
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return w.Close()
		}
		var m message
		if json.Unmarshal(line, &m) == nil {
			r.take(&m)
		}
	}
}

// take takes a message of the client.
func (r *Replay) take(m *message) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pos < len(r.entries) && r.entries[r.pos].msg.Method == m.Method {
		if m.Method != "" {
			r.ids[string(r.entries[r.pos].msg.ID)] = string(m.ID)
		}
		r.play()
		return
	}
	if m.Method == "" || len(m.ID) == 0 {
		return
	}
	r.send(message{ID: m.ID, Result: json.RawMessage(`{"data":[],"status":"unsubscribed"}`)})
}

// play sends what follows the step at pos. The caller holds mu.
func (r *Replay) play() {
	for r.pos++; r.pos < len(r.entries) && r.entries[r.pos].Dir == "<-"; r.pos++ {
		e := r.entries[r.pos]
		if e.msg.Method == "" {
			id, known := r.ids[string(e.msg.ID)]
			if !known {
				continue // the answer to what was passed over
			}
			e.msg.ID = json.RawMessage(id)
			r.send(e.msg)
			continue
		}
		_, _ = r.w.Write(append(slices.Clone(e.Raw), '\n')) // the client is gone otherwise
	}
	close(r.moved)
	r.moved = make(chan struct{})
}

func (r *Replay) send(m message) {
	raw, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	_, _ = r.w.Write(append(raw, '\n'))
}

// Next returns the step that the recording waits for now; false at its end.
func (r *Replay) Next(ctx context.Context) (Step, bool, error) {
	for {
		r.mu.Lock()
		pos, moved := r.pos, r.moved
		fresh := pos != r.shown && r.w != nil
		if fresh {
			r.shown = pos
		}
		r.mu.Unlock()
		switch {
		case fresh && pos >= len(r.entries):
			return Step{}, false, nil
		case fresh:
			return r.step(r.entries[pos]), true, nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return Step{}, false, ctx.Err()
		}
	}
}

// Skip passes over the step, which the client does not do.
func (r *Replay) Skip() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.play()
}

// step describes an entry.
func (r *Replay) step(e entry) Step {
	var p struct {
		ThreadID string
		Cwd      string
		Input    []struct{ Text string }
	}
	_ = json.Unmarshal(e.msg.Params, &p) // an answer has none
	s := Step{Method: e.msg.Method, Thread: p.ThreadID, Cwd: p.Cwd, Result: e.msg.Result}
	for _, in := range p.Input {
		s.Prompt += in.Text
	}
	if answer := r.answerTo(e); answer != nil && s.Method != "" {
		var result struct{ Thread struct{ ID, Cwd string } }
		_ = json.Unmarshal(answer.Result, &result) // other results have none
		if result.Thread.Cwd != "" {
			s.Cwd, s.Thread = result.Thread.Cwd, result.Thread.ID
		}
	}
	return s
}

package acptest

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"sync"
)

// object is a JSON object.
type object = map[string]any

// wire is the agent's side of the line.
type wire struct {
	in  *bufio.Reader
	mu  sync.Mutex
	out io.Writer
	log string

	nextID int
	waits  map[int]chan json.RawMessage // answers to the agent's requests
}

// incoming is a message of the client.
type incoming struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

func newWire(in io.Reader, out io.Writer, log string) *wire {
	return &wire{in: bufio.NewReader(in), out: out, log: log, waits: map[int]chan json.RawMessage{}}
}

// next reads a message. Answers to requests of the agent go to who waits.
func (w *wire) next() (*incoming, error) {
	for {
		line, err := w.in.ReadBytes('\n')
		if err != nil {
			return nil, err
		}
		var m incoming
		if json.Unmarshal(line, &m) != nil {
			continue
		}
		if m.Method != "" {
			w.tell(line)
			return &m, nil
		}
		var id int
		_ = json.Unmarshal(m.ID, &id)
		w.mu.Lock()
		wait := w.waits[id]
		delete(w.waits, id)
		w.mu.Unlock()
		if wait != nil {
			if m.Result == nil {
				m.Result = m.Error
			}
			wait <- m.Result
		}
	}
}

// tell writes what came into the file that the test reads.
func (w *wire) tell(line []byte) {
	if w.log == "" {
		return
	}
	if f, err := os.OpenFile(w.log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		_, _ = f.Write(line)
		_ = f.Close()
	}
}

// send sends an object as one line.
func (w *wire) send(o object) {
	o["jsonrpc"] = "2.0"
	line, _ := json.Marshal(o) // objects of strings and numbers
	w.raw(string(line))
}

// raw sends a line as it is.
func (w *wire) raw(line string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, _ = io.WriteString(w.out, line+"\n")
}

func (w *wire) answer(id json.RawMessage, result any) { w.send(object{"id": id, "result": result}) }

func (w *wire) fail(id json.RawMessage, code int, words string, data any) {
	w.send(object{"id": id, "error": object{"code": code, "message": words, "data": data}})
}

// request sends a request of the agent. The ids begin with 0, as agents' do.
func (w *wire) request(method string, params any) (id int, answer <-chan json.RawMessage) {
	wait := make(chan json.RawMessage, 1)
	w.mu.Lock()
	id = w.nextID
	w.nextID++
	w.waits[id] = wait
	w.mu.Unlock()
	w.send(object{"id": id, "method": method, "params": params})
	return id, wait
}

// update sends a session/update.
func (w *wire) update(session string, update any) {
	w.send(object{"method": "session/update", "params": object{"sessionId": session, "update": update}})
}

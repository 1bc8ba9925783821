package codextest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
)

// Version is what the Server says it is.
const Version = "0.171.0"

// message is one message on the wire.
type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *fault          `json:"error,omitempty"`
}

type fault struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Call is a message that a Server got.
type Call struct {
	Method string
	Params json.RawMessage
	Result json.RawMessage // of an answer
}

// Server is a pretending app-server. Set its fields before Serve.
type Server struct {
	// Home keeps the threads.
	Home string
	// SignedOut makes it want a sign-in.
	SignedOut bool
	// Exit is called by [[crash]]; without it the streams are closed.
	Exit func()
	// Stderr gets what a real one writes there.
	Stderr io.Writer

	mu      sync.Mutex
	w       io.Writer
	close   func()
	calls   []Call
	changed chan struct{}
	asked   int                      // requests of ours so far
	open    map[string]chan *message // those without an answer
	threads map[string]*thread
	ready   bool
	silent  bool
	turns   sync.WaitGroup
	serving sync.WaitGroup // the calls of Serve
}

// Serve answers until the input ends. Closing w too ends what runs.
func (s *Server) Serve(r io.Reader, w io.WriteCloser) error {
	s.serving.Add(1)
	defer s.serving.Done()
	s.mu.Lock()
	s.w, s.close = w, func() { _ = w.Close() }
	s.ready, s.silent, s.asked = false, false, 0
	s.open, s.threads = map[string]chan *message{}, map[string]*thread{}
	s.mu.Unlock()
	in := bufio.NewReader(r)
	var err error
	for {
		var line []byte
		if line, err = in.ReadBytes('\n'); err != nil {
			break
		}
		var m message
		if json.Unmarshal(line, &m) == nil {
			s.take(&m)
		}
	}
	s.mu.Lock()
	for _, t := range s.threads {
		t.interrupt()
	}
	for _, answer := range s.open {
		close(answer)
	}
	s.open = nil
	s.mu.Unlock()
	_ = w.Close()
	s.turns.Wait()
	if err == io.EOF || err == io.ErrClosedPipe {
		return nil
	}
	return err
}

// Wait returns when nothing is served any more, and so nothing is written into
// Home. Whoever connects must have been hung up on before.
func (s *Server) Wait() { s.serving.Wait() }

// take notes a message and does what it asks for.
func (s *Server) take(m *message) {
	s.mu.Lock()
	s.calls = append(s.calls, Call{m.Method, m.Params, m.Result})
	if s.changed != nil {
		close(s.changed)
		s.changed = nil
	}
	silent := s.silent
	s.mu.Unlock()
	switch {
	case silent:
	case m.Method == "":
		s.answered(m)
	case len(m.ID) == 0:
	default:
		result, f := s.do(m)
		if f != nil {
			s.send(message{ID: m.ID, Error: f})
			return
		}
		raw, err := json.Marshal(result)
		if err != nil {
			panic(err)
		}
		s.send(message{ID: m.ID, Result: raw})
		s.after(m)
	}
}

// Calls returns what came so far, of one method; "" means all.
func (s *Server) Calls(method string) []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []Call
	for _, c := range s.calls {
		if method == "" || c.Method == method {
			found = append(found, c)
		}
	}
	return found
}

// Hush makes it fall silent, or speak again.
func (s *Server) Hush(silent bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.silent = silent
}

// Drop closes its output, as a crash does.
func (s *Server) Drop() {
	s.mu.Lock()
	closeOutput := s.close
	s.mu.Unlock()
	closeOutput()
}

// Send sends a raw line to the client.
func (s *Server) Send(line string) { s.write([]byte(line)) }

func (s *Server) send(m message) {
	raw, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	s.write(raw)
}

func (s *Server) write(line []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.silent {
		return
	}
	_, _ = s.w.Write(append(line, '\n')) // the client is gone otherwise
}

func (s *Server) notify(method string, params any) {
	raw, err := json.Marshal(params)
	if err != nil {
		panic(err)
	}
	s.send(message{Method: method, Params: raw})
}

// ask sends a request and waits for the answer; nil if there will be none.
// Requests are numbered from 0.
func (s *Server) ask(method string, params any, gone <-chan struct{}) *message {
	raw, err := json.Marshal(params)
	if err != nil {
		panic(err)
	}
	s.mu.Lock()
	if s.open == nil {
		s.mu.Unlock()
		return nil
	}
	id := fmt.Sprint(s.asked)
	s.asked++
	answer := make(chan *message, 1)
	s.open[id] = answer
	s.mu.Unlock()
	s.send(message{ID: json.RawMessage(id), Method: method, Params: raw})
	select {
	case m := <-answer:
		return m
	case <-gone:
		return nil
	}
}

func (s *Server) answered(m *message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if answer := s.open[string(m.ID)]; answer != nil {
		delete(s.open, string(m.ID))
		answer <- m
	}
}

// log writes a line to stderr.
func (s *Server) log(words string) {
	if s.Stderr != nil {
		_, _ = io.WriteString(s.Stderr, strings.TrimSpace(words)+"\n")
	}
}

// Package chattest is a fake of the chat completions API, over server-sent events
// on a loopback address, for real agents to talk to. It is no model: it does what
// the tags of a prompt say, one after the other, and a tool's tag ends a response
// until its output came.
//
//	[[say TEXT]]     a message
//	[[fill KIB]]     a message of so many KiB: see Fill
//	[[think]]        reasoning, and then a message
//	[[run COMMAND]]  a call of the tool that runs commands
//	[[write PATH]]   a call of the tool that writes files
//	[[hang]]         says something, then nothing more
//	[[status N]]     the request fails with that status
//
// It takes any key, checks no schema, and speaks as much of the API as opencode
// looks at. A prompt without tags gets a plain answer, and a request without
// tools, by which agents find titles, gets one.
package chattest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
)

// Server is the fake. Make it with New.
type Server struct {
	// URL is the base address for a provider of models.
	URL string

	http *httptest.Server
	quit chan struct{}
	once sync.Once

	mu     sync.Mutex
	nextID int
}

// request is what an agent sends.
type request struct {
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	Tools []struct {
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	} `json:"tools"`
}

// New starts the fake on a free loopback port.
func New() *Server {
	s := &Server{quit: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.complete)
	s.http = httptest.NewServer(mux)
	s.URL = s.http.URL + "/v1"
	return s
}

// Close ends it, and the responses that hang.
func (s *Server) Close() {
	s.once.Do(func() { close(s.quit) })
	s.http.CloseClientConnections()
	s.http.Close()
}

func (s *Server) complete(w http.ResponseWriter, r *http.Request) {
	var req request
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.nextID++
	a := &answer{s: s, w: w, r: r, id: s.nextID}
	s.mu.Unlock()
	if len(req.Tools) == 0 {
		a.say("A title")
		a.end("stop")
		return
	}
	a.play(req.prompt())
}

// prompt is the user's latest message, and the outputs of tools since.
func (req *request) prompt() (text string, outputs []string) {
	for _, m := range req.Messages {
		switch m.Role {
		case "user":
			text, outputs = content(m.Content), nil
		case "tool":
			outputs = append(outputs, content(m.Content))
		}
	}
	return text, outputs
}

// content is a message's text, in either of its forms.
func content(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var parts []struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(raw, &parts) // of another form there is nothing to read
	var all []string
	for _, p := range parts {
		all = append(all, p.Text)
	}
	return strings.Join(all, "\n")
}

// Fill makes a text of so many KiB, the same every time.
func Fill(kib int) string {
	var b strings.Builder
	for n := 1; b.Len() < kib<<10; n++ {
		fmt.Fprintf(&b, "Line %d of what was asked for. ", n)
	}
	return b.String()[:kib<<10]
}

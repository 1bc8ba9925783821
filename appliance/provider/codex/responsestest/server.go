package responsestest

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
	// URL is the base address for a model provider of Codex.
	URL string

	http *httptest.Server
	quit chan struct{}
	once sync.Once

	mu      sync.Mutex
	seen    []Request
	nextID  int
	cuts    map[string]bool
	signals map[string]func()
}

// Request is what Codex sent.
type Request struct {
	Model        string          `json:"model"`
	Instructions string          `json:"instructions"`
	Input        []Item          `json:"input"`
	Tools        json.RawMessage `json:"tools"`
	Reasoning    struct {
		Effort  string `json:"effort"`
		Summary string `json:"summary"`
	} `json:"reasoning"`
	Text struct {
		Format struct {
			Name string `json:"name"`
		} `json:"format"`
	} `json:"text"`

	Authorization string `json:"-"`
}

// Item is one item of a request's input.
type Item struct {
	Type    string          `json:"type"`
	Role    string          `json:"role"`
	CallID  string          `json:"call_id"`
	Content json.RawMessage `json:"content"`
	Output  json.RawMessage `json:"output"`
}

// New starts the fake on a free loopback port.
func New() *Server {
	s := &Server{quit: make(chan struct{}), cuts: map[string]bool{}, signals: map[string]func(){}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/responses", s.respond)
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

// On sets what [[signal NAME]] calls.
func (s *Server) On(name string, f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.signals[name] = f
}

// Requests returns what came so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.seen...)
}

// Config is a config.toml that makes Codex use the fake, and nothing else in the
// world. The key's variable must be in Codex's environment: see Env.
func (s *Server) Config() string {
	return fmt.Sprintf(`check_for_update_on_startup = false
model = "gpt-5.5"
model_provider = "fake"
[model_providers.fake]
name = "Fake on loopback"
base_url = %q
env_key = %q
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
[analytics]
enabled = false
[features]
plugins = false
apps = false
remote_plugin = false
plugin_sharing = false
skill_search = false
recommended_plugins = false
unbounded_connection_retries = false
[tools.update_plan]
enabled = true
`, s.URL, keyVariable)
}

const keyVariable = "RESPONSESTEST_KEY"

// Env is the environment that Config needs.
func Env() []string { return []string{keyVariable + "=no-key"} }

func (s *Server) respond(w http.ResponseWriter, r *http.Request) {
	var req Request
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	req.Authorization = r.Header.Get("Authorization")
	s.mu.Lock()
	s.seen = append(s.seen, req)
	s.nextID++
	id := s.nextID
	s.mu.Unlock()
	a := &answer{s: s, w: w, r: r, id: id}
	if req.Text.Format.Name == "codex_output_schema" {
		a.review(req)
		return
	}
	a.play(req)
}

// prompt is the user's last words, and what came back from tools since.
func (req Request) prompt() (text string, outputs []string) {
	for _, it := range req.Input {
		switch {
		case it.Type == "message" && it.Role == "user":
			if t := it.text(); !strings.HasPrefix(strings.TrimSpace(t), "<") && !strings.HasPrefix(t, "# AGENTS") {
				text, outputs = t, nil
			}
		case strings.HasSuffix(it.Type, "_call_output"):
			outputs = append(outputs, it.output())
		}
	}
	return text, outputs
}

// text joins the texts of an item's content.
func (it Item) text() string {
	var parts []struct{ Text string }
	_ = json.Unmarshal(it.Content, &parts) // of another shape: no text
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

func (it Item) output() string {
	var text string
	if json.Unmarshal(it.Output, &text) == nil {
		return text
	}
	return string(it.Output)
}

// mentions reports whether anything that Codex told the model contains a text.
func (req Request) mentions(text string) bool {
	for _, it := range req.Input {
		if (it.Role == "developer" || it.Role == "user") && strings.Contains(it.text(), text) {
			return true
		}
	}
	return strings.Contains(req.Instructions, text)
}

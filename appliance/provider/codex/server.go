package codex

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/provider"
)

// How long the server's answers are waited for where a caller gives no limit of
// its own. A Raspberry Pi reads the whole program from its card at first.
const (
	startPatience  = 90 * time.Second
	answerPatience = 30 * time.Second
)

// methodSkipped is our own notification of a message that was thrown away.
const methodSkipped = "prompt64/skipped"

// server is one app-server at work, from its start to its death.
type server struct {
	p       *Provider
	c       *conn
	home    string // the CODEX_HOME that it says it has
	version string

	mu     sync.Mutex
	routes map[string]*session // by thread
}

// startServer starts or reaches an app-server and shakes hands with it.
func startServer(ctx context.Context, p *Provider) (*server, error) {
	ctx, stop := context.WithTimeout(ctx, startPatience)
	defer stop()
	t, err := p.dial(ctx)
	if err != nil {
		return nil, err
	}
	s := &server{p: p, routes: map[string]*session{}}
	// The reader may call handle at once; nothing in it needs c before the
	// hand-shake is done.
	ready := make(chan struct{})
	s.c = newConn(t, p.cfg.Logger, func(m *message) { <-ready; s.handle(m) }, func(err error) { <-ready; s.died(err) })
	close(ready)
	if err := guarded.Call("codex greeting", func() error { return s.shakeHands(ctx) }); err != nil {
		s.c.end()
		if errors.Is(err, errGone) {
			err = s.c.deathError()
			why := plainMessage(err.Error())
			return nil, &provider.Advice{Words: "Codex does not start. Install it again on the pages: Set-up, Agent. " + why,
				Shell: "Codex does not start. Run: prompt64 agent doctor. " + why, Err: err}
		}
		return nil, fmt.Errorf("start codex: %w", err)
	}
	return s, nil
}

// unwanted are notifications that nothing here looks at.
var unwanted = []string{
	"thread/readState/changed", "remoteControl/status/changed", "turn/diff/updated",
	"fs/changed", "app/list/updated", "skills/changed",
}

// shakeHands introduces us and learns who is there.
func (s *server) shakeHands(ctx context.Context) error {
	var hello struct {
		UserAgent string `json:"userAgent"`
		CodexHome string `json:"codexHome"`
	}
	err := s.c.call(ctx, "initialize", map[string]any{
		"clientInfo": map[string]any{"name": "prompt64", "title": "Prompt64", "version": s.p.cfg.Version},
		"capabilities": map[string]any{
			"experimentalApi":           true, // for the background terminals
			"requestAttestation":        false,
			"optOutNotificationMethods": unwanted,
		},
	}, &hello)
	if err != nil {
		return err
	}
	s.home, s.version = hello.CodexHome, versionOf(hello.UserAgent)
	s.c.notify("initialized")
	s.readAccount(ctx)
	return nil
}

// versionOf reads 0.171.0 out of "prompt64/0.171.0 (Debian ...)".
func versionOf(userAgent string) string {
	_, rest, ok := strings.Cut(userAgent, "/")
	if !ok {
		return ""
	}
	version, _, _ := strings.Cut(rest, " ")
	return version
}

// handle takes a notification or a request of the server.
func (s *server) handle(m *message) {
	sc := scopeOf(m.Params)
	if target := s.session(sc.ThreadID); target != nil {
		target.deliver(m, sc)
		return
	}
	switch {
	case m.hasID() && sc.ThreadID != "":
		// Another client's thread on a server that is shared: that client
		// answers.
	case m.hasID():
		s.refuseAloud(m)
	default:
		s.p.noticed(s, m)
	}
}

// refuseAloud declines a request that belongs to no thread, and shows it
// wherever a turn runs.
func (s *server) refuseAloud(m *message) {
	s.c.refuse(m.ID, codeNoSuchMethod, refusalOf(m.Method))
	s.p.cfg.Logger.Warn("codex: a request was declined", "method", m.Method)
	for _, target := range s.sessions() {
		target.inbox.post(func() { target.noteDeclined(m.Method) })
	}
}

// session is the session of a thread, nil if it is none of ours.
func (s *server) session(thread string) *session {
	if thread == "" {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.routes[thread]
}

func (s *server) sessions() []*session {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]*session, 0, len(s.routes))
	for _, one := range s.routes {
		list = append(list, one)
	}
	return list
}

// route leads a thread's messages to a session; it returns the one before.
func (s *server) route(thread string, to *session) (before *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before = s.routes[thread]
	s.routes[thread] = to
	return before
}

// unroute ends that, unless another session took the thread over.
func (s *server) unroute(thread string, from *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.routes[thread] == from {
		delete(s.routes, thread)
	}
}

// died tells every session. A server that we end ourselves is no news.
func (s *server) died(err error) {
	level := slog.LevelWarn
	if s.c.ending.Load() {
		level = slog.LevelDebug
	}
	s.p.cfg.Logger.Log(context.Background(), level, "codex: the server is gone", "error", err)
	for _, target := range s.sessions() {
		target.inbox.post(func() { target.serverDied(err) })
	}
}

// readAccount learns whether anybody is signed in. It may fail while a sign-in
// is under way; nothing is known then.
func (s *server) readAccount(ctx context.Context) {
	ctx, stop := context.WithTimeout(ctx, answerPatience)
	defer stop()
	var raw json.RawMessage
	if err := s.c.call(ctx, "account/read", map[string]any{}, &raw); err != nil {
		s.p.cfg.Logger.Info("codex: the account is not known", "error", err)
		return
	}
	s.p.setAccount(decode[accountRead](raw).account())
}

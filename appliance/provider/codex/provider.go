package codex

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/provider"
)

// Provider is Codex. It starts the app-server when it is needed first, and anew
// after it died.
type Provider struct {
	cfg  Config
	dial func(context.Context) (transport, error)

	starting chan struct{} // holds one: who may start the server

	mu        sync.Mutex
	closed    bool
	srv       *server
	version   string
	account   Account
	login     *login // the sign-in under way
	awaited   *login // the latest one, for AwaitLogin
	limits    []Limit
	warnings  []string
	turnCount int64
	turnOrder map[string]int64 // by thread: our last turn of it
	sessions  map[*session]struct{}
	life      context.Context // ends with Close
	stop      context.CancelFunc
}

var _ provider.Provider = (*Provider)(nil)

// New makes the provider and its CODEX_HOME. It starts nothing.
func New(cfg Config) (*Provider, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	err = cfg.User.Do(func() error {
		switch {
		case cfg.ownHome():
			return prepareHome(cfg.home())
		case cfg.Home != "":
			return checkHome(cfg.Home)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	p := newProvider(cfg)
	p.dial = func(ctx context.Context) (transport, error) {
		if cfg.URL != "" {
			return dialSocket(ctx, cfg.URL, cfg.BearerFile)
		}
		return startProcess(cfg.User, cfg.Argv, cfg.environment(), cfg.Logger)
	}
	return p, nil
}

// newProvider makes a provider that has no way to a server yet.
func newProvider(cfg Config) *Provider {
	p := &Provider{cfg: cfg, starting: make(chan struct{}, 1), sessions: map[*session]struct{}{}, turnOrder: map[string]int64{}}
	p.life, p.stop = context.WithCancel(context.Background())
	for _, file := range p.unsafeRules(cfg.home()) {
		p.warnAboutRules(file)
	}
	return p
}

// Info implements provider.Provider. The version is known once the server ran.
func (p *Provider) Info() provider.Info {
	p.mu.Lock()
	defer p.mu.Unlock()
	return provider.Info{Name: "codex", Version: p.version}
}

// server returns the app-server, and starts one if there is none.
func (p *Provider) server(ctx context.Context) (*server, error) {
	select {
	case p.starting <- struct{}{}:
		defer func() { <-p.starting }()
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-p.life.Done():
		return nil, provider.ErrClosed
	}
	p.mu.Lock()
	closed, srv := p.closed, p.srv
	p.mu.Unlock()
	switch {
	case closed:
		return nil, provider.ErrClosed
	case srv != nil && !srv.c.isDead():
		return srv, nil
	case srv != nil:
		srv.c.end() // collects what is left of it
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer guarded.AfterDone(p.life, "end of a start of codex", stop, nil)()
	srv, err := startServer(ctx, p)
	if err != nil {
		return nil, err
	}
	return srv, p.adopt(srv)
}

// adopt makes a server ours, unless the provider was closed meanwhile.
func (p *Provider) adopt(srv *server) error {
	p.mu.Lock()
	closed := p.closed
	if !closed {
		p.srv, p.version = srv, srv.version
	}
	p.mu.Unlock()
	if closed {
		srv.c.end()
		return provider.ErrClosed
	}
	// A remote home's files may not be here at all; where they are, they count.
	for _, file := range p.unsafeRules(srv.home) {
		p.warnAboutRules(file)
	}
	return nil
}

// unsafeRules is what the user of the app-server can read of them.
func (p *Provider) unsafeRules(home string) (found []string) {
	err := p.cfg.User.Do(func() error {
		found = unsafeRules(home)
		return nil
	})
	if err != nil {
		p.cfg.Logger.Warn("codex: its rules are not known", "error", err)
	}
	return found
}

// warnAboutRules warns once about a rule file.
func (p *Provider) warnAboutRules(file string) {
	words := fmt.Sprintf("Rules in %s let commands run unasked and without a sandbox, even in Read Only.", file)
	p.mu.Lock()
	known := slices.Contains(p.warnings, words)
	if !known {
		p.warnings = append(p.warnings, words)
	}
	p.mu.Unlock()
	if !known {
		p.cfg.Logger.Warn("codex: " + words)
	}
}

// Open implements provider.Provider. A session belongs to its workspace: from
// another one it does not exist.
func (p *Provider) Open(ctx context.Context, spec provider.Spec) (provider.Session, error) {
	workspace, err := p.workspace(spec.Workspace)
	if err != nil {
		return nil, err
	}
	spec.Workspace = workspace
	if spec.SessionID != "" && !isThreadID(spec.SessionID) {
		return nil, fmt.Errorf("open session %q: %w", spec.SessionID, provider.ErrNoSession)
	}
	srv, err := p.server(ctx)
	if err != nil {
		return nil, fmt.Errorf("open session: %w", err)
	}
	s := newSession(srv, spec)
	if err := guarded.Call("codex session", func() error { return s.open(ctx) }); err != nil {
		_ = s.Close() // always nil
		return nil, err
	}
	p.mu.Lock()
	closed := p.closed
	if !closed {
		p.sessions[s] = struct{}{}
	}
	p.mu.Unlock()
	if closed {
		_ = s.Close()
		return nil, provider.ErrClosed
	}
	return s, nil
}

// workspace checks a workspace: the server accepts a folder that is not there.
func (p *Provider) workspace(path string) (string, error) {
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("open session: the workspace %q is not an absolute path", path)
	}
	path = filepath.Clean(path)
	if p.cfg.Remote {
		return path, nil
	}
	var info os.FileInfo
	err := p.cfg.User.Do(func() (err error) {
		info, err = os.Stat(path)
		return err
	})
	switch {
	case err != nil:
		return "", fmt.Errorf("open session: workspace: %w", err)
	case !info.IsDir():
		return "", fmt.Errorf("open session: the workspace %s is not a folder", path)
	}
	return path, nil
}

// Close implements provider.Provider. It closes the sessions that are open
// still, and ends the server.
func (p *Provider) Close() error {
	p.mu.Lock()
	p.closed = true
	open := make([]*session, 0, len(p.sessions))
	for s := range p.sessions {
		open = append(open, s)
	}
	p.mu.Unlock()
	p.stop()
	var all sync.WaitGroup
	for _, s := range open {
		guarded.In(&all, "session's end", func() { _ = s.Close() }, nil)
	}
	all.Wait()
	p.starting <- struct{}{} // a start that is under way ends first
	defer func() { <-p.starting }()
	p.mu.Lock()
	srv := p.srv
	p.srv = nil
	p.mu.Unlock()
	if srv != nil {
		srv.c.end()
	}
	return nil
}

// forget drops a session that was closed.
func (p *Provider) forget(s *session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.sessions, s)
}

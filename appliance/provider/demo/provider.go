package demo

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"github.com/prompt64/prompt64/appliance/privsep"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/transcript"
)

// Config is what New needs. Only DataDir has no default.
type Config struct {
	// DataDir is the bridge's data folder; the demo's sessions are kept in
	// the folder demo within it.
	DataDir string
	// User runs commands, and owns what is written. The default is whoever runs
	// this program.
	User *privsep.User
	// Version is shown on the STATUS tab.
	Version string
	// Now tells the time of a session's last turn. It orders nothing.
	Now func() time.Time
	// Sleep waits between two slow deltas, until the context ends.
	Sleep func(ctx context.Context, d time.Duration) error
	// Logger hears of what cannot be stored.
	Logger *slog.Logger
}

// Provider is the demo agent.
type Provider struct {
	cfg   Config
	store *transcript.Store

	mu       sync.Mutex
	closed   bool
	sessions map[*session]struct{}
}

var _ provider.Provider = (*Provider)(nil)

// New makes the demo agent and reads the list of its stored sessions.
func New(cfg Config) (*Provider, error) {
	if cfg.DataDir == "" {
		return nil, errors.New("demo: no data folder given")
	}
	if cfg.Version == "" {
		cfg.Version = "built in"
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Sleep == nil {
		cfg.Sleep = sleep
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	return &Provider{
		cfg:      cfg,
		store:    transcript.Open(filepath.Join(cfg.DataDir, "demo"), cfg.Now, cfg.Logger),
		sessions: map[*session]struct{}{},
	}, nil
}

// Info implements provider.Provider.
func (p *Provider) Info() provider.Info {
	return provider.Info{Name: "demo", Version: p.cfg.Version}
}

// Sessions implements provider.Provider.
func (p *Provider) Sessions(ctx context.Context, workspace string) ([]provider.SessionInfo, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, provider.ErrClosed
	}
	return p.store.List(filepath.Clean(workspace)), nil
}

// Open implements provider.Provider. A session belongs to its workspace: from
// another one it does not exist.
func (p *Provider) Open(ctx context.Context, spec provider.Spec) (provider.Session, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !filepath.IsAbs(spec.Workspace) {
		return nil, fmt.Errorf("open session: the workspace %q is not an absolute path", spec.Workspace)
	}
	spec.Workspace = filepath.Clean(spec.Workspace)
	if err := p.cfg.User.Do(func() error { return checkFolder(spec.Workspace) }); err != nil {
		return nil, fmt.Errorf("open session: %w", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, provider.ErrClosed
	}
	var rec *transcript.Record
	if spec.SessionID != "" {
		var err error
		if rec, err = p.store.Take(spec.SessionID, spec.Workspace); err != nil {
			return nil, fmt.Errorf("open session %s: %w", spec.SessionID, err)
		}
	}
	s := newSession(p, spec, rec)
	p.sessions[s] = struct{}{}
	return s, nil
}

// Close implements provider.Provider. It closes the sessions that are open
// still.
func (p *Provider) Close() error {
	p.mu.Lock()
	p.closed = true
	open := make([]*session, 0, len(p.sessions))
	for s := range p.sessions {
		open = append(open, s)
	}
	p.mu.Unlock()
	for _, s := range open {
		_ = s.Close() // always nil
	}
	return nil
}

// forget drops a session that was closed.
func (p *Provider) forget(s *session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.sessions, s)
}

// sleep waits for d or for the context's end.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

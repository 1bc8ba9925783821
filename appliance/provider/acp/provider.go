package acp

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/transcript"
)

// Provider is one agent behind the Agent Client Protocol.
type Provider struct {
	cfg   Config
	store *transcript.Store
	spare spare

	mu       sync.Mutex
	closed   bool
	version  string // as the agent said last
	sessions map[*session]struct{}
	foreign  map[string]listedSession // by ticket, from the latest lists
}

var _ provider.Provider = (*Provider)(nil)

// New prepares to drive an agent. It starts nothing.
func New(cfg Config) (*Provider, error) {
	if err := cfg.complete(); err != nil {
		return nil, err
	}
	p := &Provider{
		cfg:      cfg,
		store:    transcript.Open(filepath.Join(cfg.DataDir, "acp", cfg.Name), cfg.Now, cfg.Logger),
		sessions: map[*session]struct{}{},
		foreign:  map[string]listedSession{},
	}
	p.spare.p = p
	return p, nil
}

// Info implements provider.Provider. The version is known once the agent ran.
func (p *Provider) Info() provider.Info {
	p.mu.Lock()
	defer p.mu.Unlock()
	return provider.Info{Name: p.cfg.Name, Version: p.version}
}

// start starts an agent and learns its version.
func (p *Provider) start(ctx context.Context, workspace string) (*agent, error) {
	a, err := startAgent(ctx, &p.cfg, workspace)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	p.version = a.hello.AgentInfo.Version
	p.mu.Unlock()
	return a, nil
}

// Open implements provider.Provider. The agent is started beside it: only what
// is known at once can fail here.
func (p *Provider) Open(ctx context.Context, spec provider.Spec) (provider.Session, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !filepath.IsAbs(spec.Workspace) {
		return nil, fmt.Errorf("open session: the workspace %q is not an absolute path", spec.Workspace)
	}
	spec.Workspace = filepath.Clean(spec.Workspace)
	var info os.FileInfo
	err := p.cfg.User.Do(func() (err error) {
		info, err = os.Stat(spec.Workspace)
		return err
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("open session: workspace: %w", err)
	case !info.IsDir():
		return nil, fmt.Errorf("open session: the workspace %s is not a folder", spec.Workspace)
	}
	if _, err := exec.LookPath(p.cfg.Argv[0]); err != nil {
		return nil, p.cfg.startWords(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, provider.ErrClosed
	}
	rec, foreign, err := p.take(spec)
	if err != nil {
		return nil, fmt.Errorf("open session %s: %w", spec.SessionID, err)
	}
	s := newSession(p, spec, rec, foreign)
	p.sessions[s] = struct{}{}
	s.boot()
	return s, nil
}

// take finds what is stored of a session; nil for a new one. A session that only
// the agent knows gets a record of its own. The caller holds mu.
func (p *Provider) take(spec provider.Spec) (rec *transcript.Record, foreign bool, err error) {
	if spec.SessionID == "" {
		return nil, false, nil
	}
	id := spec.SessionID
	listed, ticket := p.foreign[id]
	if ticket && samePath(listed.Cwd, spec.Workspace) {
		known := p.store.ByAgent(spec.Workspace, listed.SessionID)
		if known == "" {
			rec = p.store.Create(spec.Workspace, provider.Title(listed.Title))
			p.store.Update(rec, func(r *transcript.Record) { r.Agent = listed.SessionID })
			return rec, true, nil
		}
		id = known
	}
	rec, err = p.store.Take(id, spec.Workspace)
	return rec, false, err
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
	var all sync.WaitGroup
	for _, s := range open {
		guarded.In(&all, "session's end", func() { _ = s.Close() }, nil) // always nil
	}
	p.spare.close()
	all.Wait()
	return nil
}

// forget drops a session that was closed.
func (p *Provider) forget(s *session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.sessions, s)
}

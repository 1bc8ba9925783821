package acp

import (
	"context"
	"path/filepath"
	"sort"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
)

// listTime is how long a list waits for the agent. What is stored here is shown
// in any case.
const listTime = 4 * time.Second

// ticketPrefix marks the ID of a session that only the agent knows so far.
const ticketPrefix = "agent:"

// Sessions implements provider.Provider: what is stored here, and what else the
// agent lists. An agent that is not quick enough is left out this time.
func (p *Provider) Sessions(ctx context.Context, workspace string) ([]provider.SessionInfo, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	workspace = filepath.Clean(workspace)
	p.mu.Lock()
	closed := p.closed
	p.mu.Unlock()
	if closed {
		return nil, provider.ErrClosed
	}
	listed := p.ask(ctx, workspace)
	infos := p.store.List(workspace)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range listed {
		if l.SessionID == "" || !samePath(l.Cwd, workspace) || p.store.ByAgent(workspace, l.SessionID) != "" {
			continue
		}
		ticket := ticketPrefix + l.SessionID
		p.foreign[ticket] = l
		updated, _ := time.Parse(time.RFC3339Nano, l.UpdatedAt) // zero sorts last
		title := provider.Title(l.Title)
		if title == "" {
			title = l.SessionID
		}
		infos = append(infos, provider.SessionInfo{ID: ticket, Title: title, Updated: updated})
	}
	if len(listed) > 0 { // else the store's own order stands, which no clock can disturb
		sort.SliceStable(infos, func(i, j int) bool { return infos[i].Updated.After(infos[j].Updated) })
	}
	return infos, nil
}

// ask has the agent's list, as far as it has one and is quick.
func (p *Provider) ask(ctx context.Context, workspace string) []listedSession {
	ctx, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	a := p.anyAgent()
	if a == nil {
		if a = p.spare.await(ctx, workspace); a == nil {
			return nil
		}
	}
	if a.hello.AgentCapabilities.SessionCapabilities.List == nil {
		return nil
	}
	listed, err := a.list(ctx, workspace)
	if err != nil {
		p.cfg.Logger.Warn("the agent's list of sessions is not complete", "error", err)
	}
	return listed
}

// anyAgent finds an agent that runs.
func (p *Provider) anyAgent() *agent {
	p.mu.Lock()
	open := make([]*session, 0, len(p.sessions))
	for s := range p.sessions {
		open = append(open, s)
	}
	p.mu.Unlock()
	for _, s := range open {
		if a := s.running(); a != nil {
			return a
		}
	}
	return nil
}

// samePath compares two folders, through links where they exist.
func samePath(a, b string) bool {
	return realPath(a) == realPath(b)
}

func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return filepath.Clean(path)
}

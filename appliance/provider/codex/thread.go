package codex

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
)

// maxThreads is how many sessions of a workspace are listed; a C64 shows 32.
const maxThreads = 64

// instructions tell the model about the screen at the other end.
const instructions = "The user reads your answers on a Commodore 64: 40 columns of plain text, no images. " +
	"Prefer short paragraphs and short lists. Avoid tables and long listings unless you are asked for them."

// thread is what the server says of a thread.
type thread struct {
	ID        string `json:"id"`
	Preview   string `json:"preview"` // the first prompt
	Name      string `json:"name"`
	Cwd       string `json:"cwd"`
	UpdatedAt int64  `json:"updatedAt"`
	RecencyAt int64  `json:"recencyAt"` // of the last turn
	Status    struct {
		Type string `json:"type"`
	} `json:"status"`
}

// title is the name that somebody gave the thread, or its first prompt.
func (t thread) title() string {
	if name := provider.Title(t.Name); name != "" {
		return name
	}
	return provider.Title(t.Preview)
}

// updated is the time of the last turn.
func (t thread) updated() time.Time { return time.Unix(max(t.RecencyAt, t.UpdatedAt), 0) }

// threadID is the shape of every thread's name. What has another one is not
// asked for: the server takes paths too.
var threadID = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

func isThreadID(id string) bool { return threadID.MatchString(id) }

// threadParams are the parameters of thread/start and thread/resume.
type threadParams struct {
	ThreadID     string `json:"threadId,omitempty"`
	ExcludeTurns bool   `json:"excludeTurns,omitempty"`
	Cwd          string `json:"cwd,omitempty"`
	Model        string `json:"model,omitempty"`
	Sandbox      string `json:"sandbox"`
	Approval     string `json:"approvalPolicy"`
	Reviewer     string `json:"approvalsReviewer"`
	Instructions string `json:"developerInstructions,omitempty"`
}

// paramsOf makes the parameters of a session's thread.
func (cfg Config) paramsOf(spec provider.Spec) threadParams {
	mode := modeOf(spec.Access)
	p := threadParams{Model: cfg.Model, Sandbox: mode.sandbox, Approval: mode.approval, Reviewer: mode.reviewer}
	if spec.SessionID != "" {
		p.ThreadID, p.ExcludeTurns = spec.SessionID, true
		return p
	}
	p.Cwd, p.Instructions = spec.Workspace, instructions
	return p
}

// Sessions implements provider.Provider. Threads of other programs on the same
// CODEX_HOME are listed too, and may be resumed.
func (p *Provider) Sessions(ctx context.Context, workspace string) ([]provider.SessionInfo, error) {
	workspace = filepath.Clean(workspace)
	srv, err := p.server(ctx)
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	ctx, stop := context.WithTimeout(ctx, answerPatience)
	defer stop()
	var answer struct {
		Data []thread `json:"data"`
	}
	err = srv.c.call(ctx, "thread/list", map[string]any{
		"cwd": places(workspace), "limit": maxThreads, "sortKey": "recency_at", "modelProviders": []string{},
	}, &answer)
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	// A thread without a prompt never had a turn, and cannot be resumed.
	answer.Data = slices.DeleteFunc(answer.Data, func(t thread) bool { return t.Preview == "" && t.Name == "" })
	p.sortByTurn(answer.Data)
	list := make([]provider.SessionInfo, 0, len(answer.Data))
	for _, t := range answer.Data {
		list = append(list, provider.SessionInfo{ID: t.ID, Title: t.title(), Updated: t.updated()})
	}
	return list, nil
}

// places are the names under which a workspace's threads may be stored: as it
// is called, and where it really is.
func places(workspace string) []string {
	list := []string{workspace}
	if real, err := filepath.EvalSymlinks(workspace); err == nil && real != workspace {
		list = append(list, real)
	}
	return list
}

// inWorkspace reports whether a thread belongs to a workspace.
func (t thread) inWorkspace(workspace string) bool {
	if slices.Contains(places(workspace), filepath.Clean(t.Cwd)) {
		return true
	}
	return slices.Contains(places(filepath.Clean(t.Cwd)), workspace)
}

// sortByTurn brings threads in the order of their last turns. The server counts
// in seconds; what we saw ourselves is finer.
func (p *Provider) sortByTurn(list []thread) {
	p.mu.Lock()
	defer p.mu.Unlock()
	slices.SortStableFunc(list, func(a, b thread) int {
		if c := b.updated().Compare(a.updated()); c != 0 {
			return c
		}
		return int(p.turnOrder[b.ID]) - int(p.turnOrder[a.ID])
	})
}

// sawTurn notes that a thread had a turn just now.
func (p *Provider) sawTurn(thread string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.turnCount++
	p.turnOrder[thread] = p.turnCount
}

// noRollout reports the refusal of a thread that is not stored, or whose name
// is none.
func noRollout(err error) bool {
	text := err.Error()
	return strings.Contains(text, "no rollout found") || strings.Contains(text, "thread not found") ||
		strings.Contains(text, "invalid thread id") || strings.Contains(text, "thread not loaded")
}

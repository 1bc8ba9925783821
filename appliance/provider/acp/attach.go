package acp

import (
	"context"
	"errors"
	"os"
	"time"

	sdk "github.com/coder/acp-go-sdk"
)

// attachTime is how long an agent may take to open a session.
const attachTime = 2 * time.Minute

// errForgotten is an agent that cannot load a session of its own.
var errForgotten = errors.New("the agent cannot load this session")

// newSession opens a new session of the agent's.
func (a *agent) newSession(ctx context.Context, workspace string) error {
	ctx, cancel := context.WithTimeout(ctx, attachTime)
	defer cancel()
	open := func() (sessionState, error) {
		return request[sessionState](ctx, a, sdk.AgentMethodSessionNew,
			sdk.NewSessionRequest{Cwd: workspace, McpServers: []sdk.McpServer{}})
	}
	st, err := open()
	if errors.Is(err, errSignIn) && a.authenticate(ctx) {
		st, err = open()
	}
	switch {
	case errors.Is(err, errSignIn):
		return a.cfg.signInWords(a.hello.AuthMethods, err)
	case err != nil:
		return a.cfg.rootWords(err)
	case st.SessionID == "":
		return errors.New("the agent opened a session without a name")
	}
	a.attached(st.SessionID, st)
	return nil
}

// authenticate signs in with a key from the environment, where the preset knows
// how and the agent offers it.
func (a *agent) authenticate(ctx context.Context) bool {
	for _, key := range a.cfg.preset.keys {
		if os.Getenv(key.variable) == "" && !contains(a.cfg.Env, key.variable) {
			continue
		}
		for _, m := range a.hello.AuthMethods {
			if m.ID != key.method {
				continue
			}
			_, err := request[struct{}](ctx, a, sdk.AgentMethodAuthenticate, sdk.AuthenticateRequest{MethodId: m.ID})
			if err == nil {
				return true
			}
			a.cfg.Logger.Warn("the agent did not take the key", "method", m.ID, "error", err)
		}
	}
	return false
}

// contains reports whether a list of NAME=VALUE has a name.
func contains(env []string, name string) bool {
	for _, v := range env {
		if len(v) > len(name) && v[:len(name)+1] == name+"=" {
			return true
		}
	}
	return false
}

// reopen brings a session of the agent's back. With replay the agent is made to
// tell what was said, if it can; else it is asked not to.
func (a *agent) reopen(ctx context.Context, workspace, id string, replay bool) error {
	ctx, cancel := context.WithTimeout(ctx, attachTime)
	defer cancel()
	caps := a.hello.AgentCapabilities
	resume, load := caps.SessionCapabilities.Resume != nil, caps.LoadSession
	a.mu.Lock()
	a.sessionID = id // the replay comes before the answer
	a.mu.Unlock()
	var st sessionState
	err := errForgotten
	if resume && (!replay || !load) {
		st, err = request[sessionState](ctx, a, sdk.AgentMethodSessionResume,
			sdk.ResumeSessionRequest{Cwd: workspace, McpServers: []sdk.McpServer{}, SessionId: sdk.SessionId(id)})
	}
	if err != nil && load && ctx.Err() == nil {
		st, err = request[sessionState](ctx, a, sdk.AgentMethodSessionLoad,
			sdk.LoadSessionRequest{Cwd: workspace, McpServers: []sdk.McpServer{}, SessionId: sdk.SessionId(id)})
	}
	if err != nil {
		a.mu.Lock()
		a.sessionID = ""
		a.mu.Unlock()
		return err
	}
	a.attached(id, st)
	return nil
}

// attached keeps what the agent said of a session that it opened.
func (a *agent) attached(id string, st sessionState) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sessionID = id
	a.access = newAccessState(st)
}

// session is the agent's ID of its session; empty before there is one.
func (a *agent) session() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.sessionID
}

// dead reports whether nothing comes from the agent any more.
func (a *agent) dead() bool {
	select {
	case <-a.eof:
		return true
	default:
		return false
	}
}

// list asks for the sessions of a workspace that the agent knows.
func (a *agent) list(ctx context.Context, workspace string) ([]listedSession, error) {
	var all []listedSession
	var cursor *string
	for range maxListPages {
		page, err := request[struct {
			Sessions   []listedSession `json:"sessions"`
			NextCursor *string         `json:"nextCursor"`
		}](ctx, a, sdk.AgentMethodSessionList, sdk.ListSessionsRequest{Cwd: &workspace, Cursor: cursor})
		if err != nil {
			return all, err
		}
		all = append(all, page.Sessions...)
		if cursor = page.NextCursor; cursor == nil || *cursor == "" {
			break
		}
	}
	return all, nil
}

const maxListPages = 4

// listedSession is a row of the agent's list.
type listedSession struct {
	SessionID string `json:"sessionId"`
	Cwd       string `json:"cwd"`
	Title     string `json:"title"`
	UpdatedAt string `json:"updatedAt"`
}

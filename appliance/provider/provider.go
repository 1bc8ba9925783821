// Package provider is the interface between a lease and a coding agent.
//
// A Provider starts Sessions; a Session runs one turn at a time and reports
// everything as Events on one channel, in order. The package promises nothing
// about a particular agent: what every implementation must keep is the suite in
// providertest.
//
// Rules that callers and implementations share:
//
//   - Start begins a turn; exactly one EndEvent closes it, and nothing of that
//     turn follows it on the channel.
//   - The Events channel is closed when the session is over: after Close, or
//     when the agent died. A death within a turn sends an EndEvent with EndFailed
//     first.
//   - The session never blocks for ever on a slow reader: events wait in a
//     queue that Close drops.
//   - Decide is called at most once for an approval. Deciding one that is gone
//     returns ErrApprovalGone and does nothing.
//   - Cancel asks; the turn is over only when the EndEvent arrives. From then on
//     its approvals are gone. Close ends the session within five seconds, by
//     force if need be, and leaves no goroutine and no process behind. It may be
//     called again.
//   - A call's context is for the call alone: a turn outlives that of its Start.
package provider

import (
	"context"
	"errors"
	"time"

	"github.com/prompt64/prompt64/frames"
)

// Errors that callers branch on.
var (
	ErrApprovalGone = errors.New("approval is no longer pending")
	ErrTurnActive   = errors.New("a turn is active")
	ErrNoTurn       = errors.New("no turn is active")
	ErrClosed       = errors.New("session is closed")
	ErrNoSession    = errors.New("no such session")
)

// Info describes a provider for the STATUS tab.
type Info struct {
	Name    string // short, such as "demo"
	Version string
}

// Provider is a coding agent that can open sessions. All methods are safe for
// concurrent use.
type Provider interface {
	Info() Info
	// Sessions lists the stored sessions of a workspace, newest first.
	Sessions(ctx context.Context, workspace string) ([]SessionInfo, error)
	// Open starts a new session, or resumes the one that spec names;
	// ErrNoSession if there is none.
	Open(ctx context.Context, spec Spec) (Session, error)
	// Close ends what the provider itself runs. Sessions are closed first.
	Close() error
}

// SessionInfo is one row of a session list.
type SessionInfo struct {
	ID      string
	Title   string // usually the first prompt; UTF-8, any length
	Updated time.Time
}

// Spec says what to open.
type Spec struct {
	Workspace string // absolute path of the folder that the agent works in
	SessionID string // empty: a new session
	Access    frames.Access
	Reasoning frames.Reasoning
}

// TurnOptions go with every turn, since both may change between turns.
type TurnOptions struct {
	Access    frames.Access
	Reasoning frames.Reasoning
}

// Session is one conversation. Methods are safe for concurrent use; the channel
// of Events has one reader.
type Session interface {
	// ID is empty while a new session has nothing stored yet. It returns at once.
	ID() string
	// Title is empty while the session has none. It returns at once.
	Title() string
	// History returns the finished turns, oldest first; a running turn is
	// left out.
	History(ctx context.Context) ([]Entry, error)
	Start(ctx context.Context, prompt string, opts TurnOptions) error
	Events() <-chan Event
	Decide(ctx context.Context, approvalID string, d frames.Decision) error
	Cancel(ctx context.Context) error
	Close() error
}

// Entry is one message of a session's history.
type Entry struct {
	Speaker frames.Speaker
	Text    string // UTF-8, Markdown as the agent wrote it
}

// Event is one of the Event types below.
type Event interface{ event() }

// TextEvent is a piece of the answer: UTF-8 in arbitrary pieces, so a rune may
// be split between two events.
type TextEvent struct{ Text string }

// ReasoningEvent is a piece of the agent's reasoning.
type ReasoningEvent struct {
	Text string
	Raw  bool // raw reasoning text instead of a summary
}

// ActivityEvent tells of a tool at work.
type ActivityEvent struct {
	ID        string // same for start and end; unique in the session
	Lifecycle frames.Lifecycle
	Label     string // a command or a file, as a user would name it
}

// ApprovalEvent asks the user. The turn waits until Decide, Cancel, or an
// ApprovalGoneEvent of the same ID.
type ApprovalEvent struct {
	ID      string
	Kind    frames.ApprovalKind
	Summary string       // one line
	Detail  []DetailLine // everything that the decision is about, uncut
}

// DetailLine is one line of an approval's detail.
type DetailLine struct {
	Kind frames.LineKind
	Text string
}

// ApprovalGoneEvent says that an approval went away without a decision while
// its turn goes on.
type ApprovalGoneEvent struct {
	ID     string
	Reason string
}

// UsageEvent tells how much of the agent's context is used, where it is known.
type UsageEvent struct {
	Used, Window int64 // tokens; Window is 0 where unknown
}

// RetryEvent says that the agent tries again, and why. Dropped says that the
// answer's text since the last activity or the turn's start will come again.
type RetryEvent struct {
	Reason  string
	Dropped bool
}

// End says how a turn ended.
type End uint8

// The three ends of a turn.
const (
	EndDone End = iota
	EndCancelled
	EndFailed
)

// EndEvent closes a turn.
type EndEvent struct {
	End    End
	Reason string // words for the user when End is EndFailed
}

func (TextEvent) event()         {}
func (ReasoningEvent) event()    {}
func (ActivityEvent) event()     {}
func (ApprovalEvent) event()     {}
func (ApprovalGoneEvent) event() {}
func (UsageEvent) event()        {}
func (RetryEvent) event()        {}
func (EndEvent) event()          {}

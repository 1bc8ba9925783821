package codex

import (
	"context"
	"sync"
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/provider"
)

// turn is one turn at work. But for the fields that say otherwise it belongs to
// the session's goroutine.
type turn struct {
	prompt string
	opts   provider.TurnOptions
	ctx    context.Context // ends when nothing more is to be said
	stop   context.CancelFunc
	over   chan struct{} // closed behind its end
	ended  func()        // closes over

	cancelled bool // guarded by the session's lock

	id        string // the server's name; empty until it answered
	sent      bool   // turn/start is on its way
	failure   string // why we end it ourselves
	lastError *turnError
	ending    bool // the server is done, its commands are being ended

	items    map[string]*openItem // by item
	order    []string             // of items
	commands map[string]bool      // items that are commands, ended ones too
	plan     plan
	said     speech
	thought  thought
}

func newTurn(s *session, prompt string, opts provider.TurnOptions) *turn {
	t := &turn{
		prompt: prompt, opts: opts,
		over:     make(chan struct{}),
		items:    map[string]*openItem{},
		commands: map[string]bool{},
	}
	t.ended = sync.OnceFunc(func() { close(t.over) })
	t.ctx, t.stop = context.WithCancel(context.Background())
	return t
}

// textInput is a prompt as turn/start takes it.
type textInput struct {
	Type     string   `json:"type"`
	Text     string   `json:"text"`
	Elements []string `json:"text_elements"`
}

// begin sends the turn to the server, unless somebody else's turn must end
// first, or nobody is signed in.
func (s *session) begin(t *turn) {
	s.watcher.start(s.srv.p.cfg)
	if s.isCancelled(t) {
		s.finish(t, provider.EndEvent{End: provider.EndCancelled})
		return
	}
	for _, words := range s.srv.p.Warnings() {
		s.noteOnce(words, false)
	}
	if s.srv.p.needsSignIn() {
		s.signIn(t)
		return
	}
	if s.foreignTurn() {
		s.endForeign(t)
		return
	}
	s.sendTurn(t)
}

// sendTurn sends turn/start.
func (s *session) sendTurn(t *turn) {
	mode := modeOf(t.opts.Access)
	t.sent = true
	s.srv.c.request("turn/start", map[string]any{
		"threadId":          s.threadID(),
		"input":             []textInput{{Type: "text", Text: t.prompt, Elements: []string{}}},
		"summary":           summaryOf(t.opts.Reasoning),
		"approvalPolicy":    mode.approval,
		"approvalsReviewer": mode.reviewer,
		"sandboxPolicy":     mode.policy,
	}, func(m *message) { s.inbox.post(func() { s.turnAnswered(t, m) }) })
}

// turnAnswered takes the answer to turn/start.
func (s *session) turnAnswered(t *turn, m *message) {
	switch {
	case s.current() != t || m.gone: // a death tells itself
	case m.Error != nil:
		s.finish(t, provider.EndEvent{End: provider.EndFailed, Reason: "Codex refuses the turn: " + plainMessage(m.Error.Message)})
	default:
		s.named(t, decode[struct{ Turn struct{ ID string } }](m.Result).Turn.ID)
	}
}

// named learns the turn's name, from the answer or from the first notification,
// whichever is first.
func (s *session) named(t *turn, id string) {
	if t.id != "" || id == "" {
		return
	}
	t.id = id
	if s.isCancelled(t) {
		s.interrupt(t)
	}
}

// interruptAgain is the pause before an interrupt that came too early is sent
// again: a turn can be named before it can be interrupted.
const interruptAgain = 100 * time.Millisecond

// interrupt asks the server to end the turn, until it has.
func (s *session) interrupt(t *turn) {
	switch {
	case s.current() != t || t.ending:
	case !t.sent: // the server does not know of it
		s.finish(t, provider.EndEvent{End: provider.EndCancelled})
	case t.id == "": // named does it
	default:
		params := map[string]any{"threadId": s.threadID(), "turnId": t.id}
		s.srv.c.request("turn/interrupt", params, func(m *message) {
			if m.Error == nil || m.gone {
				return
			}
			guarded.AfterFunc(interruptAgain, "codex interrupt", func() { s.inbox.post(func() { s.interrupt(t) }) }, nil)
		})
	}
}

// current is the turn that runs, nil if none.
func (s *session) current() *turn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.turn
}

func (s *session) isCancelled(t *turn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return t.cancelled
}

func (s *session) threadID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.thread
}

// push sends an event, and waits for a slow reader. In a turn that was
// cancelled it sends nothing.
func (s *session) push(t *turn, ev provider.Event) bool {
	return s.queue.Push(t.ctx, ev) == nil
}

// put sends an event that a cancelled turn must still send. After Close there
// is nobody to read it.
func (s *session) put(ev provider.Event) { _ = s.queue.Put(ev) }

package acp

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/acp/acptest"
	"github.com/prompt64/prompt64/frames"
)

// patience guards against a hang; nothing is measured with it.
const patience = time.Minute

// rig is a provider with the scripted agent behind it.
type rig struct {
	t         *testing.T
	cfg       Config
	p         *Provider
	workspace string
	told      string // the file of what the agent was sent
	log       *logBuffer
}

// logBuffer is a log that may be read while it is written.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func newRig(t *testing.T, o acptest.Options, tweaks ...func(*Config)) *rig {
	t.Helper()
	r := &rig{t: t, workspace: t.TempDir(), told: filepath.Join(t.TempDir(), "told"), log: &logBuffer{}}
	o.Tell = r.told
	argv, env, err := acptest.Command(o)
	if err != nil {
		t.Fatal(err)
	}
	r.cfg = Config{
		Name: "scripted", Argv: argv, Env: env, DataDir: t.TempDir(),
		Logger: slog.New(slog.NewTextHandler(r.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	for _, tweak := range tweaks {
		tweak(&r.cfg)
	}
	r.again()
	t.Cleanup(func() { _ = r.p.Close() })
	return r
}

// again makes the provider anew over the same data, as after a restart.
func (r *rig) again() {
	r.t.Helper()
	if r.p != nil {
		_ = r.p.Close()
	}
	p, err := New(r.cfg)
	if err != nil {
		r.t.Fatal(err)
	}
	r.p = p
}

// requests are the methods that the agent was sent, and their params.
func (r *rig) requests() string {
	data, _ := os.ReadFile(r.told) // none were sent
	return string(data)
}

// open opens a session; an empty ID is a new one.
func (r *rig) open(id string) *peer {
	r.t.Helper()
	s, err := r.p.Open(r.t.Context(), provider.Spec{Workspace: r.workspace, SessionID: id})
	if err != nil {
		r.t.Fatalf("Open: %v", err)
	}
	r.t.Cleanup(func() { _ = s.Close() })
	return &peer{t: r.t, s: s, names: map[string]int{}, patience: patience}
}

// peer reads a session's events.
type peer struct {
	t     *testing.T
	s     provider.Session
	names map[string]int // of activities, in the order of their start

	patience time.Duration
}

func (p *peer) start(script string, access frames.Access) {
	p.t.Helper()
	opts := provider.TurnOptions{Access: access, Reasoning: frames.ReasoningSummary}
	if err := p.s.Start(p.t.Context(), script, opts); err != nil {
		p.t.Fatalf("Start: %v", err)
	}
}

// next returns the next event; nil once the channel is closed.
func (p *peer) next() provider.Event {
	p.t.Helper()
	select {
	case ev := <-p.s.Events():
		return ev
	case <-time.After(p.patience):
		p.t.Fatal("no event came")
		return nil
	}
}

// play runs a turn and shows its events. Questions get the answers in turn, and
// the last one again and again.
func (p *peer) play(script string, access frames.Access, answers ...frames.Decision) []string {
	p.t.Helper()
	p.start(script, access)
	return p.finish(answers...)
}

func (p *peer) finish(answers ...frames.Decision) []string {
	p.t.Helper()
	var lines []string
	for {
		ev := p.next()
		lines = p.show(lines, ev)
		switch e := ev.(type) {
		case nil:
			p.t.Fatalf("the channel was closed in the turn, after %q", lines)
		case provider.EndEvent:
			return lines
		case provider.ApprovalEvent:
			if len(answers) == 0 {
				p.t.Fatalf("a question came: %+v", e)
			}
			if err := p.s.Decide(p.t.Context(), e.ID, answers[0]); err != nil {
				p.t.Fatalf("Decide: %v", err)
			}
			if len(answers) > 1 {
				answers = answers[1:]
			}
		}
	}
}

var ends = map[provider.End]string{provider.EndDone: "done", provider.EndCancelled: "cancelled", provider.EndFailed: "failed"}

var lifecycles = map[frames.Lifecycle]string{
	frames.ActivityStarted: "begin", frames.ActivityCompleted: "ok", frames.ActivityFailed: "failed",
}

// show appends an event as a line; pieces of one text become one line.
func (p *peer) show(lines []string, ev provider.Event) []string {
	switch e := ev.(type) {
	case provider.TextEvent:
		return join(lines, "text ", e.Text)
	case provider.ReasoningEvent:
		return join(lines, "think ", e.Text)
	case provider.ActivityEvent:
		if p.names[e.ID] == 0 {
			p.names[e.ID] = len(p.names) + 1
		}
		return append(lines, fmt.Sprintf("act %d %s %q", p.names[e.ID], lifecycles[e.Lifecycle], e.Label))
	case provider.ApprovalEvent:
		lines = append(lines, fmt.Sprintf("ask %d %q", e.Kind, e.Summary))
		for _, l := range e.Detail {
			lines = append(lines, fmt.Sprintf("  %c %s", " +-@"[l.Kind], l.Text))
		}
		return lines
	case provider.ApprovalGoneEvent:
		return append(lines, fmt.Sprintf("gone %q", e.Reason))
	case provider.UsageEvent:
		return append(lines, fmt.Sprintf("usage %d of %d", e.Used, e.Window))
	case provider.EndEvent:
		return append(lines, strings.TrimSpace(fmt.Sprintf("end %s %s", ends[e.End], e.Reason)))
	}
	return append(lines, fmt.Sprintf("%+v", ev))
}

func join(lines []string, kind, text string) []string {
	quoted := fmt.Sprintf("%q", text)
	if n := len(lines); n > 0 && strings.HasPrefix(lines[n-1], kind) {
		lines[n-1] = lines[n-1][:len(lines[n-1])-1] + quoted[1:]
		return lines
	}
	return append(lines, kind+quoted)
}

// want compares the events of a turn.
func want(t *testing.T, got []string, want ...string) {
	t.Helper()
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("the events are\n%s\n\nwant\n%s", g, w)
	}
}

// has reports whether a line is among the events.
func hasLine(lines []string, line string) bool {
	for _, l := range lines {
		if l == line {
			return true
		}
	}
	return false
}

// endOf is the last of some lines: how a turn ended.
func endOf(lines []string) []string { return lines[len(lines)-1:] }

package codex

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/codex/codextest"
	"github.com/prompt64/prompt64/frames"
)

var update = flag.Bool("update", false, "write down what the recordings give now")

// TestRecordedSessionsReadTheSame plays every recording of the real program and
// compares what a user would see with what was looked at once.
func TestRecordedSessionsReadTheSame(t *testing.T) {
	for _, name := range codextest.Recordings() {
		t.Run(name, func(t *testing.T) {
			r, err := codextest.NewReplay(name)
			if err != nil {
				t.Fatal(err)
			}
			got := (&player{t: t, r: r, sessions: map[string]*stage{}}).play()
			file := filepath.Join("testdata", "replay", name+".txt")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// endsWithinATurn are the recordings that were stopped there.
var endsWithinATurn = map[string]bool{"e-refused-retries": true, "d-interrupt-command2": true}

// player does what the recording's client did.
type player struct {
	t        *testing.T
	r        *codextest.Replay
	p        *Provider
	sessions map[string]*stage
	last     *stage
	active   *stage // whose turn runs
	ask      string // the approval that waits
	out      strings.Builder
	run      string // the kind of text at the end of out
	marked   bool   // settle's mark was read
}

func (p *player) play() string {
	ctx, stop := context.WithTimeout(p.t.Context(), patience)
	defer stop()
	p.p = newPipeProvider(p.t, p.r, func(c *Config) { c.Remote = true })
	if _, err := p.p.server(ctx); err != nil {
		p.t.Fatal(err)
	}
	for {
		step, more, err := p.r.Next(ctx)
		if err != nil {
			p.t.Fatalf("%v; so far:\n%s", err, p.out.String())
		}
		if !more {
			break
		}
		p.do(ctx, step)
	}
	p.settle(ctx)
	if !endsWithinATurn[filepath.Base(p.t.Name())] {
		p.finish()
	}
	_ = p.p.Close()
	return p.out.String()
}

// do does one step.
func (p *player) do(ctx context.Context, step codextest.Step) {
	switch step.Method {
	case "thread/start", "thread/resume":
		p.finish()
		p.open(ctx, step)
	case "turn/start":
		p.finish()
		p.write("\n> %s", step.Prompt)
		p.active = p.sessions[step.Thread]
		p.active.start(step.Prompt, asking)
	case "turn/interrupt":
		p.settle(ctx)
		p.write("(cancel)")
		if err := p.active.s.Cancel(ctx); err != nil {
			p.t.Fatal(err)
		}
	case "account/login/start":
		p.settle(ctx)
		code, err := p.p.LoginWithDevice(ctx)
		p.write("%s, %v", code, err)
	case "account/login/cancel":
		ended, end := context.WithCancel(ctx)
		end()
		p.write("%v", p.p.AwaitLogin(ended))
	case "":
		p.answer(ctx, step)
	}
}

// settle lets all that the server sent so far happen, and writes it down.
func (p *player) settle(ctx context.Context) {
	// Anything that is answered will do: the answer is behind the rest.
	_ = p.p.srv.c.call(ctx, "account/read", map[string]any{}, nil)
	if p.active == nil {
		return
	}
	mark := provider.UsageEvent{Used: -1}
	s := p.active.s.(*session)
	s.inbox.post(func() { s.put(mark) })
	for p.marked = false; p.active != nil && !p.marked; {
		p.read()
	}
}

func (p *player) open(ctx context.Context, step codextest.Step) {
	spec := provider.Spec{Workspace: step.Cwd, Access: frames.AccessAsk}
	if step.Method == "thread/resume" {
		spec.SessionID = step.Thread
	}
	if spec.Workspace == "" {
		spec.Workspace = "/home/me"
	}
	s, err := p.p.Open(ctx, spec)
	switch {
	case errors.Is(err, provider.ErrNoSession):
		p.write("\nno such session")
	case err != nil:
		p.write("\ncannot be opened: %v", err)
	default:
		p.write("\nsession %q in %s", s.Title(), step.Cwd)
		p.sessions[step.Thread] = &stage{t: p.t, p: p.p, s: s}
	}
}

// answer decides as the user of the recording did.
func (p *player) answer(ctx context.Context, step codextest.Step) {
	for p.ask == "" && p.active != nil {
		p.read()
	}
	err := p.last.s.Decide(ctx, p.ask, p.decision(step.Result))
	p.write("(decide: %v)", err)
	p.ask = ""
	if err != nil {
		p.r.Skip()
	}
}

func (p *player) decision(result json.RawMessage) frames.Decision {
	switch text := string(result); {
	case strings.Contains(text, `"acceptForSession"`):
		return frames.AcceptForSession
	case strings.Contains(text, `"accept"`), strings.Contains(text, `"answers"`):
		return frames.AcceptOnce
	case strings.Contains(text, `"cancel"`):
		return frames.CancelTurn
	}
	return frames.Decline
}

// finish reads to the end of the turn.
func (p *player) finish() {
	for p.active != nil {
		p.read()
	}
}

// read writes down one event. Text is written as one piece, however it came.
func (p *player) read() {
	p.last = p.active
	switch e := p.active.next().(type) {
	case provider.TextEvent:
		p.text("text", e.Text)
	case provider.ReasoningEvent:
		p.text("reasoning", e.Text)
	case provider.ActivityEvent:
		p.write("%s: %s", e.Lifecycle, e.Label)
	case provider.ApprovalEvent:
		p.ask = e.ID
		p.write("ASK %d: %s", e.Kind, e.Summary)
		for _, line := range lines(&e) {
			p.write("  %s", line)
		}
	case provider.ApprovalGoneEvent:
		p.write("gone: %s", e.Reason)
	case provider.UsageEvent:
		if p.marked = e.Used < 0; p.marked {
			return
		}
		p.write("used %d of %d", e.Used, e.Window)
	case provider.RetryEvent:
		p.write("RETRY dropped=%v: %s", e.Dropped, e.Reason)
	case provider.EndEvent:
		p.write("END %d %s", e.End, e.Reason)
		p.active = nil
	}
}

func (p *player) text(kind, piece string) {
	if p.run != kind {
		p.write("%s:", kind)
		p.run = kind
		fmt.Fprint(&p.out, "  ")
	}
	fmt.Fprint(&p.out, strings.ReplaceAll(piece, "\n", "\n  "))
}

// write writes a line.
func (p *player) write(format string, args ...any) {
	if p.run != "" {
		p.out.WriteByte('\n')
		p.run = ""
	}
	fmt.Fprintf(&p.out, format+"\n", args...)
}

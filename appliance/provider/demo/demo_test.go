package demo

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// rig is a session of the demo in a fresh workspace, whose sleeps take no time.
type rig struct {
	t         *testing.T
	s         provider.Session
	workspace string
	slept     []time.Duration
	// answer decides on approvals; the zero value accepts.
	answer frames.Decision
	// onAsk runs before the answer.
	onAsk func(provider.ApprovalEvent)
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{t: t, workspace: t.TempDir()}
	p, err := New(Config{DataDir: t.TempDir(), Sleep: func(ctx context.Context, d time.Duration) error {
		r.slept = append(r.slept, d)
		return ctx.Err()
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	if r.s, err = p.Open(t.Context(), provider.Spec{Workspace: r.workspace}); err != nil {
		t.Fatal(err)
	}
	return r
}

// played is what a turn sent.
type played struct {
	text       string
	events     []provider.Event
	asked      []provider.ApprovalEvent
	activities []provider.ActivityEvent
	end        provider.EndEvent
}

// ask plays a prompt that asks before it acts.
func (r *rig) ask(prompt string) played {
	return r.play(prompt, provider.TurnOptions{Access: frames.AccessAsk})
}

// free plays a prompt that may act without asking.
func (r *rig) free(prompt string) played {
	return r.play(prompt, provider.TurnOptions{Access: frames.AccessAutoReview})
}

func (r *rig) play(prompt string, opts provider.TurnOptions) played {
	r.t.Helper()
	if err := r.s.Start(r.t.Context(), prompt, opts); err != nil {
		r.t.Fatal(err)
	}
	var got played
	for ev := range r.s.Events() {
		got.events = append(got.events, ev)
		switch e := ev.(type) {
		case provider.TextEvent:
			got.text += e.Text
		case provider.ActivityEvent:
			got.activities = append(got.activities, e)
		case provider.ApprovalEvent:
			got.asked = append(got.asked, e)
			if r.onAsk != nil {
				r.onAsk(e)
			}
			if err := r.s.Decide(r.t.Context(), e.ID, r.answer); err != nil {
				r.t.Errorf("Decide: %v", err)
			}
		case provider.EndEvent:
			got.end = e
			return got
		}
	}
	r.t.Fatal("the channel was closed")
	return got
}

// file reads a file of the workspace, or says that there is none.
func (r *rig) file(name string) string {
	r.t.Helper()
	data, err := os.ReadFile(filepath.Join(r.workspace, name))
	if os.IsNotExist(err) {
		return "(no file)"
	}
	if err != nil {
		r.t.Fatal(err)
	}
	return string(data)
}

// put writes a file of the workspace.
func (r *rig) put(name, content string) {
	r.t.Helper()
	if err := os.WriteFile(filepath.Join(r.workspace, name), []byte(content), 0o640); err != nil {
		r.t.Fatal(err)
	}
}

// wantWords checks that an answer has some words in it.
func (r *rig) wantWords(got played, words ...string) {
	r.t.Helper()
	for _, w := range words {
		if !strings.Contains(got.text, w) {
			r.t.Errorf("the answer %q lacks %q", got.text, w)
		}
	}
	if got.end.End != provider.EndDone {
		r.t.Errorf("the end is %+v", got.end)
	}
}

// pieces are the texts of the answer's events.
func (got played) pieces() []string {
	var pieces []string
	for _, ev := range got.events {
		if e, ok := ev.(provider.TextEvent); ok {
			pieces = append(pieces, e.Text)
		}
	}
	return pieces
}

// detail joins an approval's detail, each line behind the sign of its kind.
func detail(ask provider.ApprovalEvent) string {
	var b strings.Builder
	for _, line := range ask.Detail {
		b.WriteString(string(" +-#"[line.Kind]) + line.Text + "\n")
	}
	return b.String()
}

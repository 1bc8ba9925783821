package codex

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/codex/responsestest"
	"github.com/prompt64/prompt64/frames"
)

// stage opens a session of the real Codex.
func (w *realWorld) stage(cfg Config) *stage {
	w.t.Helper()
	p, err := New(cfg)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = p.Close() })
	st := &stage{t: w.t, p: p}
	st.s = st.open(provider.Spec{Workspace: w.workspace, Access: frames.AccessAsk})
	return st
}

// hold plays a turn in a mode.
func (st *stage) hold(prompt string, opts provider.TurnOptions, decisions ...frames.Decision) []provider.Event {
	st.t.Helper()
	st.start(prompt, opts)
	return st.finish(decisions...)
}

func TestRealCodexTellsItsErrorsInWords(t *testing.T) {
	w := newRealWorld(t)
	st := w.stage(w.config())
	for _, c := range []struct {
		prompt, want string
		retry        bool
	}{
		{"[[status 401]]", "Sign-in was refused. Sign in again on the pages: Set-up, Agent.", true},
		{"[[status 400]]", "The fake says Bad Request.", false},
		{"[[status 429]]", "The model is asked too often; wait a minute.", false},
		{"[[status 500]]", "high demand", true},
		{"[[quota]]", "Quota exceeded.", false},
		{"[[limit]]", "usage limit", false},
		{"[[cut]]", "stream disconnected before completion", true},
	} {
		all := st.play(c.prompt)
		if end := endOf(all); end.End != provider.EndFailed || !strings.Contains(end.Reason, c.want) {
			t.Errorf("%s ended as %+v", c.prompt, end)
		}
		if got := len(of[provider.RetryEvent](all)) > 0; got != c.retry {
			t.Errorf("%s was tried again: %v", c.prompt, got)
		}
		if end := endOf(st.play("hello")); end.End != provider.EndDone {
			t.Errorf("the turn behind %s ended as %+v", c.prompt, end)
		}
	}
}

func TestRealCodexSaysACutAnswerAgain(t *testing.T) {
	w := newRealWorld(t)
	st := w.stage(w.config())
	all := st.play("[[cutonce now]]")
	retries := of[provider.RetryEvent](all)
	if len(retries) != 1 || !retries[0].Dropped {
		t.Fatalf("the retries are %+v", retries)
	}
	at := slices.Index(all, provider.Event(retries[0]))
	if before, after := saying(all[:at]), saying(all[at:]); before != "This answer " || after != "This answer is whole." {
		t.Errorf("before the retry %q, after it %q", before, after)
	}
}

func TestRealCodexGivesUpOnAModelThatIsNotThere(t *testing.T) {
	w := newRealWorld(t)
	st := w.stage(w.config())
	w.api.Close()
	if end := endOf(st.play("hello")); end.End != provider.EndFailed || end.Reason == "" {
		t.Errorf("the end is %+v", end)
	}
}

func TestRealCodexMissesItsKeyInWords(t *testing.T) {
	w := newRealWorld(t)
	cfg := w.config()
	cfg.Env = slices.DeleteFunc(slices.Clone(cfg.Env), func(v string) bool { return slices.Contains(responsestest.Env(), v) })
	if end := endOf(w.stage(cfg).play("hello")); !strings.Contains(end.Reason, "Missing environment variable") {
		t.Errorf("the end is %+v", end)
	}
}

func TestRealCodexReasonsAsTheSettingSays(t *testing.T) {
	w := newRealWorld(t)
	st := w.stage(w.config())
	for r, want := range map[frames.Reasoning]struct{ asked, text string }{
		frames.ReasoningOff:       {"", ""},
		frames.ReasoningSummary:   {"auto", "First the files.\n\nThen the answer."},
		frames.ReasoningDetailed:  {"detailed", "First the files.\n\nThen the answer."},
		frames.ReasoningDeveloper: {"detailed", "raw chain of thought"},
	} {
		all := st.hold("[[think]]", provider.TurnOptions{Access: frames.AccessAsk, Reasoning: r})
		var text strings.Builder
		for _, e := range of[provider.ReasoningEvent](all) {
			text.WriteString(e.Text)
		}
		requests := w.api.Requests()
		asked := requests[len(requests)-1].Reasoning.Summary
		if text.String() != want.text || asked != want.asked {
			t.Errorf("setting %d asked for %q and shows %q", r, asked, text.String())
		}
	}
}

func TestRealCodexShowsItsPlan(t *testing.T) {
	w := newRealWorld(t)
	all := w.stage(w.config()).play("[[plan]]")
	want := []string{"Step 1/2: Look", "Step 2/2: Write"}
	if got := labels(all, frames.ActivityCompleted); !slices.Equal(got, want) {
		t.Errorf("the plan was shown as %q", got)
	}
}

func TestRealAutoReviewDeniesInWords(t *testing.T) {
	w := newRealWorld(t)
	all := w.stage(w.config()).hold("[[run echo forbidden >> ran]]", provider.TurnOptions{Access: frames.AccessAutoReview})
	got := labels(all, frames.ActivityFailed)
	if !slices.Contains(got, "review: denied. It is forbidden.") || !slices.Contains(got, "echo forbidden >> ran") {
		t.Errorf("what failed is %q", got)
	}
	if _, err := os.Stat(filepath.Join(w.workspace, "ran")); err == nil {
		t.Error("it ran all the same")
	}
}

// A rule that allows a command defeats read-only access: this is why the fifth
// decision is never sent, and why such rules are warned of. Nothing here may
// write one.
func TestRealCodexGetsNoRules(t *testing.T) {
	w := newRealWorld(t)
	st := w.stage(w.config())
	for _, d := range []frames.Decision{frames.AcceptOnce, frames.AcceptForSession, frames.Decline, frames.CancelTurn} {
		st.play("[[run echo "+string(rune('a'+d))+"]]", d)
	}
	files, err := filepath.Glob(filepath.Join(w.home, "rules", "*"))
	if err != nil || len(files) != 0 {
		t.Errorf("there are rules: %q, %v", files, err)
	}
}

func TestRealGrantDoesNotOutliveItsSession(t *testing.T) {
	w := newRealWorld(t)
	st := w.stage(w.config())
	st.play("[[run echo x >> ran]]", frames.AcceptForSession)
	id := st.s.ID()
	if err := st.s.Close(); err != nil {
		t.Fatal(err)
	}
	st.s = st.open(provider.Spec{Workspace: w.workspace, SessionID: id, Access: frames.AccessAsk})
	all := st.play("[[run echo x >> ran]]", frames.Decline)
	if n := len(of[provider.ApprovalEvent](all)); n != 1 {
		t.Errorf("resumed, it asked %d times", n)
	}
}

func TestRealKeyIsStoredForItsOwnerAlone(t *testing.T) {
	w := newRealWorld(t)
	data := t.TempDir()
	cfg := w.config()
	cfg.Home, cfg.DataDir = "", data
	p, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if a, err := p.Account(t.Context()); err != nil || !a.Needed {
		t.Fatalf("the account of a new home is %+v, %v", a, err)
	}
	if err := p.LoginWithKey(t.Context(), "sk-not-real"); err != nil {
		t.Fatal(err)
	}
	if a := p.Status().Account; a.String() != "API key" {
		t.Errorf("the account is %+v", a)
	}
	if info, err := os.Stat(filepath.Join(data, "codex", "auth.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key's file: %v, %v", info, err)
	}
	if err := p.Logout(t.Context()); err != nil || !p.Status().Account.Needed {
		t.Errorf("Logout: %v, %+v", err, p.Status().Account)
	}
}

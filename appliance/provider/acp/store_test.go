package acp

import (
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/provider/acp/acptest"
	"github.com/prompt64/prompt64/frames"
)

// held plays one turn in a session and returns its ID.
func (r *rig) held(script string) string {
	r.t.Helper()
	p := r.open("")
	p.play(script, frames.AccessAsk)
	_ = p.s.Close()
	return p.s.ID()
}

func TestStoredSessionIsResumedWithoutItsReplay(t *testing.T) {
	for name, o := range map[string]acptest.Options{
		"by session/resume": {State: "x"},
		"by session/load":   {State: "x", NoResume: true},
	} {
		t.Run(name, func(t *testing.T) {
			o.State = t.TempDir()
			r := newRig(t, o)
			id := r.held("say before")
			r.again()
			p := r.open(id)
			want(t, p.play("say after", frames.AccessAsk), `text "after"`, "usage 15 of 0", "end done")
			if got := showHistory(t, p.s); got != "0 \"say before\"\n1 \"before\"\n0 \"say after\"\n1 \"after\"\n" {
				t.Errorf("the history is\n%s", got)
			}
			if !strings.Contains(r.requests(), `"`+strings.TrimPrefix(name, "by ")+`"`) {
				t.Error("the agent was not asked for its session")
			}
		})
	}
}

func TestAgentThatForgotIsToldWhatWasSaid(t *testing.T) {
	for name, o := range map[string]acptest.Options{
		"it cannot load":        {NoList: true, NoLoad: true, NoResume: true},
		"its session went away": {Forget: true},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, o)
			id := r.held("say before")
			r.again()
			p := r.open(id)
			want(t, p.play("say after", frames.AccessAsk)[:1], `text "after"`)
			p.play("say more", frames.AccessAsk)
			if n := strings.Count(r.requests(), "What was said there"); n != 1 {
				t.Errorf("it was told %d times, want once: %s", n, r.requests())
			}
			if !strings.Contains(r.requests(), `User: say before\n\nYou: before`) {
				t.Error("what was said is not what it was told")
			}
		})
	}
}

func TestSessionOfAnotherClientIsListedLoadedAndThenOurs(t *testing.T) {
	o := acptest.Options{State: t.TempDir()}
	theirs := newRig(t, o)
	theirs.held("say theirs")
	r := newRig(t, o)
	theirs.workspace, r.workspace = r.workspace, theirs.workspace // the agent knows that folder
	list, err := r.p.Sessions(t.Context(), r.workspace)
	if err != nil || len(list) != 1 || list[0].Title != "say theirs" {
		t.Fatalf("the list is %+v, %v", list, err)
	}
	p := r.open(list[0].ID)
	if got := showHistory(t, p.s); got != "0 \"say theirs\"\n1 \"theirs\"\n" {
		t.Errorf("the history is\n%s", got)
	}
	want(t, p.play("say ours", frames.AccessAsk)[:1], `text "ours"`)
	if again, err := r.p.Sessions(t.Context(), r.workspace); err != nil || len(again) != 1 || again[0].ID != p.s.ID() {
		t.Errorf("the list is %+v, %v; want %s alone", again, err, p.s.ID())
	}
	id := p.s.ID()
	r.again()
	if got := showHistory(t, r.open(id).s); strings.Count(got, "\n") != 4 {
		t.Errorf("after a restart the history is\n%s", got)
	}
}

func TestAgentThatWasStartedForAListServesTheNextSession(t *testing.T) {
	r := newRig(t, acptest.Options{State: t.TempDir()})
	if _, err := r.p.Sessions(t.Context(), r.workspace); err != nil {
		t.Fatal(err)
	}
	r.open("").play("say x", frames.AccessAsk)
	if n := strings.Count(r.requests(), `"initialize"`); n != 1 {
		t.Errorf("%d agents were started, want one", n)
	}
	if got := r.p.Info(); got.Name != "scripted" || got.Version != "1.2.3" {
		t.Errorf("the info is %+v", got)
	}
}

func TestListOfAnAgentThatDoesNotStartIsWhatIsStoredHere(t *testing.T) {
	r := newRig(t, acptest.Options{})
	id := r.held("say x")
	r.cfg.Argv = []string{"/no/such/agent"}
	r.again()
	list, err := r.p.Sessions(t.Context(), r.workspace)
	if err != nil || len(list) != 1 || list[0].ID != id {
		t.Errorf("the list is %+v, %v", list, err)
	}
}

func TestPromptThatWasCancelledBeforeTheStartIsNoPast(t *testing.T) {
	r := newRig(t, acptest.Options{})
	p := r.open("")
	p.start("hang", frames.AccessAsk)
	if err := p.s.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	want(t, endOf(p.finish()), "end cancelled")
	p.play("say x", frames.AccessAsk)
	if strings.Contains(r.requests(), "What was said there") {
		t.Error("the agent was told of it")
	}
}

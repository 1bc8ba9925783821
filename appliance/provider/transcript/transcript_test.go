package transcript

import (
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

func open(dir string) *Store { return Open(dir, time.Now, slog.New(slog.DiscardHandler)) }

// say stores a session of one finished turn, and lets it go.
func say(st *Store, workspace, agent, prompt string) (id string) {
	r := st.Create(workspace, provider.Title(prompt))
	st.Update(r, func(r *Record) {
		r.Agent = agent
		r.Turns = append(r.Turns, &Turn{Prompt: prompt, Answer: "yes", End: Done})
	})
	st.Save(r)
	st.Drop(r)
	return r.ID
}

func TestRecordOutlivesTheStore(t *testing.T) {
	dir := t.TempDir()
	id := say(open(dir), "/work", "their-1", "is it on?")
	st := open(dir)
	r, err := st.Take(id, "/work")
	if err != nil {
		t.Fatal(err)
	}
	var got []provider.Entry
	st.View(r, func(r *Record) { got = r.History() })
	want := []provider.Entry{
		{Speaker: frames.SpeakerUser, Text: "is it on?"},
		{Speaker: frames.SpeakerAssistant, Text: "yes"},
	}
	if diff := cmp.Diff(want, got); diff != "" || r.Agent != "their-1" {
		t.Errorf("agent %q, history (-want +got):\n%s", r.Agent, diff)
	}
}

func TestAgentsOwnIDFindsASessionInItsWorkspaceOnly(t *testing.T) {
	dir := t.TempDir()
	id := say(open(dir), "/work", "their-1", "hello")
	st := open(dir)
	if got := st.ByAgent("/work", "their-1"); got != id {
		t.Errorf("found %q, want %q", got, id)
	}
	if got := st.ByAgent("/play", "their-1") + st.ByAgent("/work", "their-2"); got != "" {
		t.Errorf("found %q, want nothing", got)
	}
}

func TestTurnWithoutAnEndWasCutOff(t *testing.T) {
	dir := t.TempDir()
	st := open(dir)
	r := st.Create("/work", "t")
	st.Update(r, func(r *Record) { r.Turns = append(r.Turns, &Turn{Prompt: "go", Answer: "I beg"}) })
	st.Save(r)
	st = open(dir)
	again, err := st.Take(r.ID, "/work")
	if err != nil {
		t.Fatal(err)
	}
	if got := again.History(); len(got) != 2 || got[1].Text != "I beg\n\n(cut off)" {
		t.Errorf("the history is %q", got)
	}
}

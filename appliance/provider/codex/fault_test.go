package codex

import (
	"errors"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/frames"
)

// brokenStage is a stage with a fault in what logs some words, and another session of
// the same server in the middle of a turn.
func brokenStage(t *testing.T, words string) (st, other *stage, fault *providertest.Fault) {
	t.Helper()
	fault = &providertest.Fault{}
	st = newStage(t, func(c *Config) { c.Logger = fault.Logger(words) })
	beside := *st
	other = &beside
	other.s = st.open(provider.Spec{Workspace: t.TempDir(), Access: frames.AccessAsk})
	st.play("hello")
	other.start("[[hang]]", asking)
	await[provider.TextEvent](other)
	fault.Set()
	return st, other, fault
}

// ends checks that a fault ended the turn and the session in words.
func (st *stage) ends() {
	st.t.Helper()
	if end := endOf(st.finish()); end != (provider.EndEvent{End: provider.EndFailed, Reason: provider.WordsBroke}) {
		st.t.Errorf("the end is %+v", end)
	}
	if ev, ok := <-st.s.Events(); ok {
		st.t.Errorf("behind it came %+v", ev)
	}
	if err := st.s.Start(st.t.Context(), "hello", asking); !errors.Is(err, provider.ErrClosed) {
		st.t.Errorf("Start: %v", err)
	}
}

// resumes checks that the session is there when it is opened again.
func (st *stage) resumes() {
	st.t.Helper()
	before := st.s.(*session)
	st.s = st.open(provider.Spec{Workspace: before.spec.Workspace, SessionID: before.ID()})
	if end := endOf(st.play("hello")); end.End != provider.EndDone {
		st.t.Errorf("the turn after it ended as %+v", end)
	}
}

// A fault in a session's goroutine ends its turn, here and at the server, and costs
// no other session anything.
func TestFaultOfASessionEndsItAloneAndItIsResumed(t *testing.T) {
	for name, script := range map[string]string{
		"streaming": "[[hang]]", "asking": "[[run true]]", "at work": "[[busy]]", "misled": "[[stuck]]",
	} {
		t.Run(name, func(t *testing.T) {
			st, other, _ := brokenStage(t, "codex warns")
			st.start(`[[raw {"method":"warning","params":{"threadId":"THREAD","message":"x"}}]]`+script, asking)
			st.ends()
			began := time.Now()
			if err := st.s.Close(); err != nil || time.Since(began) > 5*time.Second {
				t.Errorf("%v after %v", err, time.Since(began))
			}
			if name == "misled" { // the server does not end the turn, so it is ended
				if end := endOf(other.finish()); end.End != provider.EndFailed {
					t.Errorf("the other turn ended as %+v", end)
				}
				st.resumes()
				return
			}
			if n := len(st.Calls("turn/interrupt")); n == 0 {
				t.Error("the server goes on with the turn")
			}
			if err := other.s.Cancel(t.Context()); err != nil {
				t.Error(err)
			}
			if end := endOf(other.finish()); end.End != provider.EndCancelled {
				t.Errorf("the other turn ended as %+v", end)
			}
			st.resumes()
			if n := len(st.Calls("initialize")); n != 1 {
				t.Errorf("the server was started %d times", n)
			}
		})
	}
}

// A fault in the reader, which all sessions share, is the death of the server: each
// turn ends in words, and the next one has another server.
func TestFaultOfTheReaderEndsTheServerInWords(t *testing.T) {
	st, other, _ := brokenStage(t, "no message")
	st.start("[[raw garbage]][[hang]]", asking)
	for _, one := range []*stage{st, other} {
		one.ends()
		if err := one.s.Close(); err != nil {
			t.Error(err)
		}
		one.resumes()
	}
}

// A real server's process is collected after that.
func TestFaultOfTheReaderLeavesNoProcess(t *testing.T) {
	fault := &providertest.Fault{}
	p := scripted(t, `exec "$0" "$@"`, func(c *Config) { c.Logger = fault.Logger("no message") })
	s, err := p.Open(t.Context(), provider.Spec{Workspace: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	died := p.srv.c.t.(*process)
	st := &stage{t: t, p: p, s: s}
	fault.Set()
	st.start("[[raw garbage]][[hang]]", asking)
	st.ends()
	<-died.exited
	if err := errors.Join(s.Close(), p.Close()); err != nil {
		t.Error(err)
	}
}

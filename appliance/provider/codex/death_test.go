package codex

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/codex/codextest"
	"github.com/prompt64/prompt64/frames"
)

func TestDeathInEachStateEndsInWords(t *testing.T) {
	for name, reach := range map[string]func(*stage) bool{
		"idle": func(*stage) bool { return false },
		"streaming": func(st *stage) bool {
			st.start("[[hang]]", asking)
			await[provider.TextEvent](st)
			return true
		},
		"asking": func(st *stage) bool {
			st.start("[[run true]]", asking)
			await[provider.ApprovalEvent](st)
			return true
		},
		"at work": func(st *stage) bool {
			st.start("[[busy]]", asking)
			await[provider.ActivityEvent](st)
			return true
		},
		"between turns": func(st *stage) bool {
			st.play("hello")
			return false
		},
	} {
		t.Run(name, func(t *testing.T) {
			st := newStage(t)
			inTurn := reach(st)
			st.Drop()
			if inTurn {
				if end := endOf(st.finish()); end.End != provider.EndFailed || !strings.Contains(end.Reason, "out of cheese") {
					t.Errorf("the end is %+v", end)
				}
			}
			if ev, ok := <-st.s.Events(); ok {
				t.Errorf("behind the death came %+v", ev)
			}
			if err := st.s.Start(t.Context(), "hello", asking); !errors.Is(err, provider.ErrClosed) {
				t.Errorf("Start: %v", err)
			}
			if _, err := st.s.History(t.Context()); st.s.ID() != "" && !errors.Is(err, provider.ErrClosed) {
				t.Errorf("History: %v", err)
			}
			// The next Open starts another server.
			st.s = st.open(provider.Spec{Workspace: t.TempDir()})
			if end := endOf(st.play("hello")); end.End != provider.EndDone {
				t.Errorf("the turn after it ended as %+v", end)
			}
		})
	}
}

// scripted makes a provider of a shell script that runs before the pretended
// app-server, which is $0.
func scripted(t *testing.T, script string, change ...func(*Config)) *Provider {
	t.Helper()
	cfg := Config{Argv: append([]string{"sh", "-c", script}, codextest.Argv()...), Env: codextest.Env(), DataDir: t.TempDir()}
	for _, f := range change {
		f(&cfg)
	}
	p, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

func TestStartThatFailsSaysWhatToDo(t *testing.T) {
	spec := provider.Spec{Workspace: t.TempDir()}
	p, err := New(Config{Argv: []string{"/no/such/codex"}, DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Open(t.Context(), spec); err == nil || !strings.Contains(err.Error(), "Set-up, Agent") {
		t.Errorf("a missing program: %v", err)
	}
	for script, want := range map[string]string{
		"echo Permission denied >&2; exit 255":      "exit status 255: Permission denied",
		"read line; echo out of memory >&2; exit 1": "exit status 1: out of memory",
		"exit 0": "codex ended: exit status 0",
	} {
		if _, err := scripted(t, script).Open(t.Context(), spec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", script, err)
		}
	}
}

func TestServerThatNeverAnswersIsLeftWithTheContext(t *testing.T) {
	p := scripted(t, "exec sleep 600")
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	if _, err := p.Open(ctx, provider.Spec{Workspace: t.TempDir()}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Open: %v", err)
	}
}

func TestNoiseOnTheErrorStreamHoldsNothingUp(t *testing.T) {
	p := scripted(t, `yes "a warning that says nothing" | head -c 3000000 >&2; head -c 300000 /dev/zero >&2; exec "$0"`)
	s, err := p.Open(t.Context(), provider.Spec{Workspace: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	st := &stage{t: t, p: p, s: s}
	if end := endOf(st.play("hello")); end.End != provider.EndDone {
		t.Errorf("the end is %+v", end)
	}
}

func TestNoiseOnTheOutputIsNoMessage(t *testing.T) {
	p := scripted(t, `echo "Welcome to host"; echo '{"half'; echo 7; echo; exec "$0"`)
	if _, err := p.Open(t.Context(), provider.Spec{Workspace: t.TempDir()}); err != nil {
		t.Errorf("Open: %v", err)
	}
}

func TestProcessThatDoesNotGoIsKilled(t *testing.T) {
	p := scripted(t, `trap "" TERM; "$0"; while :; do sleep 1; done`)
	if _, err := p.Open(t.Context(), provider.Spec{Workspace: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > patience { // its own limits add to 3.5 s
		t.Errorf("Close took %s", took)
	}
}

func TestGrandchildThatHoldsThePipesDoesNotHoldTheDeath(t *testing.T) {
	// Without the mark it is not found, and holds the pipes.
	p := scripted(t, `env -u `+runVariable+` sleep 600 & exec "$0"`)
	s, err := p.Open(t.Context(), provider.Spec{Workspace: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	st := &stage{t: t, p: p, s: s}
	if end := endOf(st.play("[[crash]]")); end.End != provider.EndFailed || !strings.Contains(end.Reason, "exit status 3: thread 'main' panicked") {
		t.Errorf("the end is %+v", end)
	}
}

func TestMessageThatIsTooLongAndMattersEndsTheServer(t *testing.T) {
	st := newStage(t)
	st.start("[[hang]]", asking)
	await[provider.TextEvent](st)
	st.Send(`{"method":"turn/completed","params":{"turn":{"id":"x","error":"` + strings.Repeat("x", maxMessage) + `"}}}`)
	if end := endOf(st.finish()); end.End != provider.EndFailed || !strings.Contains(end.Reason, "longer than") {
		t.Errorf("the end is %+v", end)
	}
}

func TestAnswerThatIsTooLongFailsItsRequestAlone(t *testing.T) {
	st := newStage(t)
	st.play("[[fill 11000]]")
	if _, err := st.s.History(t.Context()); err == nil || !strings.Contains(err.Error(), "longer than") {
		t.Errorf("History: %v", err)
	}
	if end := endOf(st.play("hello")); end.End != provider.EndDone {
		t.Errorf("the turn after it ended as %+v", end)
	}
}

func TestSecondOpenOfAThreadTakesItOver(t *testing.T) {
	st := newStage(t)
	st.play("hello")
	st.start("[[hang]]", asking)
	await[provider.TextEvent](st)
	before, spec := st.s, provider.Spec{Workspace: st.s.(*session).spec.Workspace, SessionID: st.s.ID(), Access: frames.AccessAsk}
	st.s = st.open(spec)
	for range before.Events() { // it is closed
	}
	if got := saying(st.play("hello again")); got != "READY. You said: hello again" {
		t.Errorf("the other session's turn said %q", got)
	}
}

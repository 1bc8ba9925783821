package codex

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/codex/codextest"
	"github.com/prompt64/prompt64/frames"
)

// Each test here is a trap that the real program has set before.

func TestRequestWithIDZeroIsAnswered(t *testing.T) {
	st := newStage(t)
	if all := st.play("[[run echo x >> ran]]", frames.AcceptOnce); endOf(all).End != provider.EndDone {
		t.Errorf("the end is %+v", endOf(all))
	}
	if answers := st.Calls(""); !slices.ContainsFunc(answers, func(c codextest.Call) bool {
		return c.Method == "" && string(c.Result) == `{"decision":"accept"}`
	}) {
		t.Error("the first request, whose id is 0, got no answer")
	}
}

func TestSecondStartNeverSteersATurn(t *testing.T) {
	st := newStage(t)
	st.start("[[hang]]", asking)
	await[provider.TextEvent](st)
	if err := st.s.Start(t.Context(), "more", asking); !errors.Is(err, provider.ErrTurnActive) {
		t.Errorf("Start: %v", err)
	}
	if n := len(st.Calls("turn/start")); n != 1 {
		t.Errorf("%d turns were started", n)
	}
}

func TestEmptyPromptStartsNoTurn(t *testing.T) {
	st := newStage(t)
	for _, prompt := range []string{"", " \n\t"} {
		if st.s.Start(t.Context(), prompt, asking) == nil {
			t.Errorf("Start(%q) began a turn that costs", prompt)
		}
	}
	if st.s.ID() != "" {
		t.Error("the session counts as stored")
	}
}

func TestItemWithoutCompletionIsClosedWithItsTurn(t *testing.T) {
	st := newStage(t)
	open := `[[raw {"method":"item/started","params":{"threadId":"THREAD","turnId":"TURN","item":{"type":"commandExecution","id":"c","command":"ls"}}}]]`
	all := st.play(open)
	if got := labels(all, frames.ActivityCompleted); !slices.Equal(got, []string{"ls"}) {
		t.Errorf("a turn that is done closed %q", got)
	}
	if all = st.play(open + "[[fail no]]"); !slices.Equal(labels(all, frames.ActivityFailed), []string{"ls"}) {
		t.Errorf("a turn that failed sent %+v", all)
	}
}

func TestItemThatOnlyEndsIsShownWhole(t *testing.T) {
	st := newStage(t)
	all := st.play(`[[raw {"method":"item/completed","params":{"threadId":"THREAD","turnId":"TURN","item":{"type":"newKindOfTool","id":"n","name":"lever"}}}]]`)
	want := []string{"new kind of tool: lever"}
	if !slices.Equal(labels(all, frames.ActivityStarted), want) || !slices.Equal(labels(all, frames.ActivityCompleted), want) {
		t.Errorf("an unknown item sent %+v", all)
	}
}

func TestPartialTextOfARetryIsMarkedAsDropped(t *testing.T) {
	st := newStage(t)
	all := st.play("[[say First.]][[cut]]")
	retries := of[provider.RetryEvent](all)
	if len(retries) != 1 || !retries[0].Dropped || !strings.Contains(retries[0].Reason, "Reconnecting") {
		t.Fatalf("the retries are %+v", retries)
	}
	// What stands after the retry is all of the text again, as nothing but
	// text came before.
	at := slices.Index(all, provider.Event(retries[0]))
	if before, after := saying(all[:at]), saying(all[at:]); before != "First.\n\nThis answer " || after != "First.\n\nThis answer is whole." {
		t.Errorf("before the retry %q, after it %q", before, after)
	}
}

func TestRetryAfterAnActivityRepeatsOnlyWhatFollowsIt(t *testing.T) {
	st := newStage(t)
	all := st.play("[[say First.]][[run true]][[cut]]", frames.AcceptOnce)
	at := slices.Index(all, provider.Event(of[provider.RetryEvent](all)[0]))
	if after := saying(all[at:]); after != "\n\nIt completed.\n\nThis answer is whole." {
		t.Errorf("after the retry %q", after)
	}
}

func TestInterruptTerminatesTheCommand(t *testing.T) {
	st := newStage(t)
	st.start("[[busy]]", asking)
	await[provider.ActivityEvent](st)
	if err := st.s.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	all := st.finish()
	if n := st.Running(st.s.ID()); n != 0 || endOf(all).End != provider.EndCancelled {
		t.Errorf("%d commands run on after %+v", n, endOf(all))
	}
	if got := labels(all, frames.ActivityFailed); len(got) != 1 {
		t.Errorf("the command ended as %q", got)
	}
}

func TestFailingToolWithoutAnItemDoesNotHoldTheTurn(t *testing.T) {
	st := newStage(t)
	all := st.play("[[say It failed.]]") // no item of the tool comes at all
	if endOf(all).End != provider.EndDone || len(of[provider.ActivityEvent](all)) != 0 {
		t.Errorf("%+v", all)
	}
}

func TestLateDecisionIsGone(t *testing.T) {
	st := newStage(t)
	st.start("[[run true]]", asking)
	ask := await[provider.ApprovalEvent](st)
	if err := st.s.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := st.s.Decide(t.Context(), ask.ID, frames.AcceptOnce); !errors.Is(err, provider.ErrApprovalGone) {
		t.Errorf("Decide behind Cancel: %v", err)
	}
	st.finish()
	for _, c := range st.Calls("") {
		if c.Method == "" {
			t.Errorf("the server was answered: %s", c.Result)
		}
	}
}

func TestThreadWithoutATurnIsNoSession(t *testing.T) {
	st := newStage(t)
	thread := st.s.(*session).threadID()
	if err := st.s.Close(); err != nil {
		t.Fatal(err)
	}
	fresh := newPipeProvider(t, &codextest.Server{Home: st.Home})
	_, err := fresh.Open(t.Context(), provider.Spec{Workspace: t.TempDir(), SessionID: thread})
	if !errors.Is(err, provider.ErrNoSession) {
		t.Errorf("Open: %v", err)
	}
}

func TestActiveWriterElsewhereIsToldInWords(t *testing.T) {
	st := newStage(t)
	st.play("hello")
	id := st.s.ID()
	if err := codextest.MarkBusy(st.Home, id); err != nil {
		t.Fatal(err)
	}
	fresh := newPipeProvider(t, &codextest.Server{Home: st.Home})
	_, err := fresh.Open(t.Context(), provider.Spec{Workspace: st.s.(*session).spec.Workspace, SessionID: id})
	if err == nil || !strings.Contains(err.Error(), "open in another Codex; close it there") {
		t.Errorf("Open: %v", err)
	}
}

func TestThreadOfAnotherWorkspaceIsNoSession(t *testing.T) {
	st := newStage(t)
	st.play("hello")
	id := st.s.ID()
	_, err := st.p.Open(t.Context(), provider.Spec{Workspace: t.TempDir(), SessionID: id})
	if !errors.Is(err, provider.ErrNoSession) {
		t.Errorf("Open: %v", err)
	}
}

func TestMissingWorkspaceIsRefused(t *testing.T) {
	st := newStage(t)
	for _, w := range []string{"relative", filepath.Join(t.TempDir(), "missing"), os.Args[0]} {
		if _, err := st.p.Open(t.Context(), provider.Spec{Workspace: w}); err == nil {
			t.Errorf("the workspace %q was accepted", w)
		}
	}
}

func TestUnreachableModelIsGivenUpInWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, func(c *Config) { c.Unreachable = time.Minute })
		defer st.close()
		all := st.play("[[offline]]")
		if end := endOf(all); end.End != provider.EndFailed || !strings.Contains(end.Reason, "cannot be reached") {
			t.Errorf("the end is %+v", end)
		}
		if n := len(of[provider.RetryEvent](all)); n < 50 || n > 70 {
			t.Errorf("it gave up after %d tries, a second apart", n)
		}
	})
}

func TestSilentServerIsToldAndCanBeLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.close()
		st.start("[[silent]]", asking)
		await[provider.TextEvent](st)
		began := time.Now()
		note := await[provider.ActivityEvent](st)
		if !strings.HasPrefix(note.Label, "No sign of Codex for 120 s.") || time.Since(began) > 121*time.Second {
			t.Errorf("after %s came %+v", time.Since(began), note)
		}
		if err := st.s.Cancel(t.Context()); err != nil {
			t.Fatal(err)
		}
		began = time.Now()
		_ = st.s.Close()
		if took := time.Since(began); took >= 5*time.Second {
			t.Errorf("Close took %s", took)
		}
	})
}

func TestSilenceEndsWithTheNextSign(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.close()
		st.start("[[busy]]", asking)
		await[provider.ActivityEvent](st)
		note := await[provider.ActivityEvent](st)
		if !strings.Contains(note.Label, "Still at it, 120 s without output: sleep 600") {
			t.Errorf("the note is %+v", note)
		}
		time.Sleep(10 * time.Minute) // it is told once
		if err := st.s.Cancel(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := of[provider.ActivityEvent](st.finish()); len(got) != 2 {
			t.Errorf("behind it came %+v", got)
		}
	})
}

func TestSilenceWhileTheUserDecidesIsNotTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.close()
		st.start("[[run true]]", asking)
		ask := await[provider.ApprovalEvent](st)
		time.Sleep(time.Hour + time.Second)
		if err := st.s.Decide(t.Context(), ask.ID, frames.Decline); err != nil {
			t.Fatal(err)
		}
		for _, e := range of[provider.ActivityEvent](st.finish()) {
			if e.Label != "true" {
				t.Errorf("it was told %q", e.Label)
			}
		}
	})
}

func TestExecpolicyAmendmentIsNeverSent(t *testing.T) {
	st := newStage(t)
	for _, d := range []frames.Decision{frames.AcceptOnce, frames.AcceptForSession, frames.Decline, frames.CancelTurn} {
		st.play("[[run true "+string(rune('a'+d))+"]]", d)
	}
	want := []string{"accept", "accept", "decline", "cancel"}
	var got []string
	for _, c := range st.Calls("") {
		if c.Method == "" {
			var r struct{ Decision string }
			if err := json.Unmarshal(c.Result, &r); err != nil {
				t.Errorf("the answer %s is more than a word", c.Result)
			}
			got = append(got, r.Decision)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the decisions are %q, want %q", got, want)
	}
}

func TestSecondMessageBeginsBehindABlankLine(t *testing.T) {
	st := newStage(t)
	if got := saying(st.play("[[say I look.]][[say # Heading]]")); got != "I look.\n\n# Heading" {
		t.Errorf("the text is %q", got)
	}
	entries, err := st.s.History(t.Context())
	if err != nil || len(entries) != 2 || entries[1].Text != "I look.\n\n# Heading" {
		t.Errorf("the history is %+v, %v", entries, err)
	}
}

func TestHugeMessageIsSkippedAndTheTurnGoesOn(t *testing.T) {
	st := newStage(t)
	all := st.play("[[huge 11000]][[say Done.]]")
	if saying(all) != "Done." || endOf(all).End != provider.EndDone {
		t.Errorf("text %q, end %+v", saying(all), endOf(all))
	}
	if got := labels(all, frames.ActivityFailed); len(got) != 1 || !strings.Contains(got[0], "too long") {
		t.Errorf("it was told as %q", got)
	}
}

func TestModeAndSummaryGoWithEveryTurn(t *testing.T) {
	st := newStage(t)
	want := []string{
		`"never" "user" readOnly "none"`,
		`"on-request" "user" readOnly "auto"`,
		`"on-request" "auto_review" workspaceWrite "detailed"`,
		`"never" "user" readOnly "detailed"`,
	}
	for i, a := range []frames.Access{frames.AccessReadOnly, frames.AccessAsk, frames.AccessAutoReview, frames.Access(9)} {
		st.start("hello", provider.TurnOptions{Access: a, Reasoning: frames.Reasoning(i)})
		st.finish()
	}
	for i, c := range st.Calls("turn/start") {
		var p struct {
			ApprovalPolicy, ApprovalsReviewer, Summary json.RawMessage
			SandboxPolicy                              struct {
				Type          string
				NetworkAccess bool
			}
		}
		if err := json.Unmarshal(c.Params, &p); err != nil {
			t.Fatal(err)
		}
		got := strings.Join([]string{string(p.ApprovalPolicy), string(p.ApprovalsReviewer), p.SandboxPolicy.Type, string(p.Summary)}, " ")
		if got != want[i] || p.SandboxPolicy.NetworkAccess {
			t.Errorf("turn %d goes with %s, want %s", i, got, want[i])
		}
	}
}

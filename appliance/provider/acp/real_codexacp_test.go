package acp

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/codex/responsestest"
	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/frames"
)

func TestRealCodexACPKeepsTheRulesOfAProvider(t *testing.T) {
	realAgent(t, "codex-acp")
	providertest.Run(t, providertest.Harness{
		Setup: func(t *testing.T) providertest.World {
			r, api := realCodexACP(t)
			pidFile := filepath.Join(t.TempDir(), "pid")
			api.On("crash", func() { kill(t, pidFile) })
			cfg := r.cfg
			cfg.Argv = []string{"sh", "-c", `echo $$ > "$1"; exec "$0"`, r.cfg.Argv[0], pidFile}
			return providertest.World{
				New:       func() (provider.Provider, error) { return New(cfg) },
				Workspace: r.workspace,
				Other:     t.TempDir(),
				Effects:   func(kind frames.ApprovalKind) int { return effects(t, r.workspace, kind) },
			}
		},
		Prompts: providertest.Prompts{
			Plain:      "hello",
			Long:       "[[fill 512]]",
			LongText:   responsestest.Fill(512),
			Think:      "[[think]]",
			Command:    "[[run echo x >> ran]]",
			File:       "[[write once]]",
			Busy:       "[[run sleep 600]]",
			Fail:       "[[failed out of cheese]]",
			FailReason: "out of cheese",
			Hang:       "[[hang]]",
			Crash:      "[[signal crash]]",
		},
		Only: ofTheAgent,
		Lacks: map[providertest.Feature]string{
			providertest.AutoReview:    noReviewer,
			providertest.IgnoredCancel: "the real one always hears; the scripted agent stands for one that does not",
		},
	})
}

// ofTheAgent are the promises that are the agent's to keep. The others are the
// provider's, which the scripted agent holds to all of them.
var ofTheAgent = []string{
	"AnswerArrivesWholeAndInOrder", "ActivitiesHaveOneStartAndOneEnd", "UsageIsPlausible",
	"NoReasoningWhenItIsOff", "DetailedShowsSummaries",
	"EachDecisionDoesWhatItSays", "ApprovalShowsWhatItIsAbout", "ReadOnlyRefusesWithoutAsking",
	"CancelWhileStreamingEndsTheTurn", "CancelInAnApprovalTakesItAlong",
	"FailureTellsItsReason", "CrashedSessionIsResumed",
	"SessionIsResumedByAProviderMadeAnew", "HistoryHasTheFinishedTurnsInOrder", "SessionsRunBesideEachOther",
}

// kill kills the process whose number stands in a file.
func kill(t *testing.T, pidFile string) {
	raw, err := os.ReadFile(pidFile)
	if err != nil {
		t.Error(err)
		return
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	if err != nil {
		t.Error(err)
		return
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Error(err)
	}
}

func TestRealCodexACPShowsWhatItDoes(t *testing.T) {
	r, _ := realCodexACP(t)
	p := r.open("")
	// Of a short command it may not tell the end: it is closed with the turn then.
	got := p.play("[[run echo x >> ran]]", frames.AccessAsk, frames.AcceptOnce)
	want(t, got[:5], `act 1 begin "echo x >> ran"`, `ask 0 "Run echo x >> ran"`, "    echo x >> ran", "  @ May I?", "  @ in the workspace")
	for _, line := range []string{`act 1 ok "echo x >> ran"`, `text "The tool said: Output:"`, "end done"} {
		if !hasLine(got, line) {
			t.Errorf("there is no %s in %q", line, got)
		}
	}
	want(t, p.play("[[write once.bas]]", frames.AccessAsk, frames.AcceptOnce),
		`act 2 begin "Edit once.bas"`, `ask 1 "Edit once.bas"`, "  @ once.bas", `  + 10 PRINT "HELLO"`, "  + 20 GOTO 10",
		`act 2 ok "Edit once.bas"`, `text "The tool said: A once.bas"`, "usage 1260 of 258400", "end done")
	got = p.play("[[plan]]", frames.AccessAsk)
	if !hasLine(got, `act 4 begin "Plan 2/2: Write"`) || !hasLine(got, `act 4 ok "Plan 2/2: Write"`) {
		t.Errorf("the plan: %q", got)
	}
	for status, words := range map[int]string{401: "Unauthorized", 500: "", 429: "429"} {
		got := p.play(fmt.Sprintf("[[status %d]]", status), frames.AccessAsk)
		if end := got[len(got)-1]; !strings.HasPrefix(end, "end failed ") || !strings.Contains(end, words) {
			t.Errorf("status %d: %q", status, got)
		}
	}
}

func TestRealCodexACPRemembersAfterAKill(t *testing.T) {
	r, api := realCodexACP(t)
	p := r.open("")
	p.play("the first prompt", frames.AccessAsk)
	a := p.s.(*session).running()
	if err := syscall.Kill(-a.proc.cmd.Process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if ev := p.next(); ev != nil {
		t.Fatalf("an event came: %+v", ev)
	}
	r.again()
	r.open(p.s.ID()).play("the second prompt", frames.AccessAsk)
	requests := api.Requests()
	if latest := fmt.Sprintf("%s", requests[len(requests)-1].Input); !strings.Contains(latest, "the first prompt") {
		t.Error("the model was not told of the first prompt")
	}
}

package acp

import (
	"errors"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/acp/acptest"
	"github.com/prompt64/prompt64/frames"
)

// command is a tool call of a permission, as JSON.
const command = `{"toolCallId":"c1","kind":"execute","title":"ls","rawInput":{"command":"ls"}}`

func TestPermissionBeforeItsToolCallIsOneActivity(t *testing.T) {
	p := newRig(t, acptest.Options{}).open("")
	got := p.play(strings.Join([]string{
		`ask {"toolCall":` + command + `}`,
		`update {"sessionUpdate":"tool_call","toolCallId":"c1","kind":"execute","title":"ls","status":"in_progress"}`,
		`update {"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"completed"}`,
	}, "\n"), frames.AccessAsk, frames.AcceptOnce)
	want(t, got, `act 1 begin "ls"`, `ask 0 "Run ls"`, "    ls", "  @ in the workspace",
		`text "o-once"`, `act 1 ok "ls"`, "usage 15 of 0", "end done")
}

func TestToolCallThatIsNamedFirstByAnUpdateIsShown(t *testing.T) {
	p := newRig(t, acptest.Options{}).open("")
	got := p.play(`update {"sessionUpdate":"tool_call_update","toolCallId":"g1","status":"completed","title":"make","kind":"execute"}`, frames.AccessAsk)
	want(t, got, `act 1 begin "make"`, `act 1 ok "make"`, "usage 15 of 0", "end done")
}

func TestToolCallsLeftOpenAreClosedAtTheTurnsEnd(t *testing.T) {
	p := newRig(t, acptest.Options{}).open("")
	open := `update {"sessionUpdate":"tool_call","toolCallId":"c2","kind":"execute","title":"make","status":"in_progress"}`
	// Gemini says nothing more of a call that was declined.
	got := p.play(`ask {"toolCall":`+command+"}\n"+open, frames.AccessAsk, frames.Decline)
	want(t, got[len(got)-4:], `act 1 failed "ls"`, `act 2 ok "make"`, "usage 15 of 0", "end done")
	p.start(open+"\nhang", frames.AccessAsk)
	p.next()
	if err := p.s.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	want(t, p.finish(), `act 3 failed "make"`, "usage 15 of 0", "end cancelled")
}

func TestOrderAndNamesOfOptionsDoNotMatter(t *testing.T) {
	options := `[{"optionId":"z","kind":"reject_once"},{"optionId":"new","kind":"allow_by_moonlight"},` +
		`{"optionId":"y","kind":"allow_always"},{"optionId":"x","kind":"allow_once"}]`
	script := `ask {"toolCall":` + command + `,"options":` + options + `}`
	for decision, picked := range map[frames.Decision]string{
		frames.AcceptOnce: "x", frames.AcceptForSession: "x", frames.Decline: "z",
	} {
		p := newRig(t, acptest.Options{}).open("")
		if got := p.play(script, frames.AccessAsk, decision); !hasLine(got, `text "`+picked+`"`) {
			t.Errorf("decision %d: %q, want option %q", decision, got, picked)
		}
	}
}

func TestAbsentOptionsAreHandled(t *testing.T) {
	for _, c := range []struct {
		options  string
		decision frames.Decision
		picked   string
	}{
		{`[{"optionId":"r","kind":"reject_always"}]`, frames.Decline, "r"},
		{`[{"optionId":"r","kind":"reject_always"}]`, frames.AcceptOnce, "cancelled"},
		{`[{"optionId":"a","kind":"allow_always"}]`, frames.AcceptForSession, "a"},
		// Once is less than for ever: nobody said the latter.
		{`[{"optionId":"a","kind":"allow_always"}]`, frames.AcceptOnce, "cancelled"},
		{`[{"optionId":"o","kind":"allow_once"}]`, frames.Decline, "cancelled"},
		{`[]`, frames.AcceptOnce, "cancelled"},
	} {
		p := newRig(t, acptest.Options{}).open("")
		got := p.play(`ask {"toolCall":`+command+`,"options":`+c.options+`}`, frames.AccessAsk, c.decision)
		if !hasLine(got, `text "`+c.picked+`"`) || !hasLine(got, "end done") {
			t.Errorf("options %s, decision %d: %q", c.options, c.decision, got)
		}
	}
}

func TestAgentsOwnAlwaysIsNeverTakenWhereThereIsAOnce(t *testing.T) {
	r := newRig(t, acptest.Options{})
	p := r.open("")
	first := p.play("run echo x >> ran", frames.AccessAsk, frames.AcceptForSession)
	second := p.play("run echo x >> ran", frames.AccessAsk) // fails if it is asked
	if !hasLine(first, "end done") || !hasLine(second, "end done") {
		t.Fatalf("%q, then %q", first, second)
	}
	// Were it kept by the agent, Read Only could not take it back.
	if got := p.play("run echo x >> ran", frames.AccessReadOnly); !hasLine(got, `act 3 failed "echo x >> ran"`) {
		t.Errorf("under Read Only: %q", got)
	}
}

func TestAcceptanceForTheSessionCoversWhatTheUserSaw(t *testing.T) {
	p := newRig(t, acptest.Options{}).open("")
	p.play("run true", frames.AccessAsk, frames.AcceptForSession)
	p.play("write a x", frames.AccessAsk, frames.AcceptForSession)
	for _, script := range []string{"run true ", "run false", "write b x"} {
		got := p.play(script, frames.AccessAsk, frames.Decline)
		if !strings.Contains(strings.Join(got, "\n"), "\nask ") {
			t.Errorf("%q was not asked: %q", script, got)
		}
	}
	p.play("write a other words", frames.AccessAsk) // the same file: fails if it is asked
}

func TestPermissionsOfACancelledTurnAreAnsweredCancelled(t *testing.T) {
	r := newRig(t, acptest.Options{})
	p := r.open("")
	p.start(`later {"toolCall":`+command+"}\nhang", frames.AccessAsk)
	var asked provider.ApprovalEvent
	for asked.ID == "" {
		asked, _ = p.next().(provider.ApprovalEvent)
	}
	if err := p.s.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	want(t, p.finish(), `act 1 failed "ls"`, "usage 15 of 0", "end cancelled")
	if err := p.s.Decide(t.Context(), asked.ID, frames.AcceptOnce); !errors.Is(err, provider.ErrApprovalGone) {
		t.Errorf("a late decision: %v", err)
	}
	if got := p.play("answer", frames.AccessAsk); !hasLine(got, `text "cancelled"`) {
		t.Errorf("the agent was told otherwise: %q", got)
	}
}

func TestQuestionThatTheAgentTakesBackIsGone(t *testing.T) {
	p := newRig(t, acptest.Options{}).open("")
	p.start(`later {"toolCall":`+command+"}\nunask\nanswer", frames.AccessAsk)
	got := p.finishUndecided()
	if !hasLine(got, `gone "the agent no longer asks"`) || !hasLine(got, `text "cancelled"`) {
		t.Errorf("the events are %q", got)
	}
	p.start(`later {"toolCall":`+command+"}\n"+
		`update {"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"failed"}`+"\nanswer", frames.AccessAsk)
	got = p.finishUndecided()
	if !hasLine(got, `gone "the agent no longer asks"`) || !hasLine(got, `text "cancelled"`) {
		t.Errorf("of a call that failed meanwhile: %q", got)
	}
}

// finishUndecided reads to the turn's end and answers nothing.
func (p *peer) finishUndecided() []string {
	p.t.Helper()
	var lines []string
	for {
		ev := p.next()
		lines = p.show(lines, ev)
		if _, over := ev.(provider.EndEvent); over || ev == nil {
			return lines
		}
	}
}

func TestFloodOfUpdatesToASlowReaderClosesNothing(t *testing.T) {
	p := newRig(t, acptest.Options{}).open("")
	// More than the 1,024 notifications at which the SDK gives up, and more
	// than the queue holds, before anything is read.
	p.start("long 1200000", frames.AccessAsk)
	said := 0
	for {
		switch e := p.next().(type) {
		case provider.TextEvent:
			said += len(e.Text)
		case provider.EndEvent:
			if e.End != provider.EndDone || said != 1200000 {
				t.Errorf("%d bytes came, and the end is %+v", said, e)
			}
			return
		}
	}
}

func TestUnknownKindsAreLeftOutAndSaidInTheLog(t *testing.T) {
	r := newRig(t, acptest.Options{})
	got := r.open("").play(strings.Join([]string{
		`update {"sessionUpdate":"mood_update","title":"not a title"}`,
		`update {"sessionUpdate":"agent_message_chunk","content":{"type":"hologram","beam":1}}`,
		`update {"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":""}}`,
		`update {"sessionUpdate":"agent_message_chunk"}`,
		`update {"sessionUpdate":"tool_call","toolCallId":"k","kind":"juggle","status":"soaring","title":"Balls"}`,
		`update "nonsense"`,
		`line {"jsonrpc":"2.0","method":"_their/own","params":{}}`,
		`line this is no JSON`,
		`line {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"another","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"not ours"}}}}`,
		"say fine",
	}, "\n"), frames.AccessAsk)
	want(t, got, `act 1 begin "Balls"`, `text "fine"`, `act 1 ok "Balls"`, "usage 15 of 0", "end done")
	for _, words := range []string{"kind=mood_update", "method=_their/own", "of another session", "no message"} {
		if !strings.Contains(r.log.String(), words) {
			t.Errorf("the log does not say %q", words)
		}
	}
}

func TestFieldsOfAnotherTypeCostOnlyThemselves(t *testing.T) {
	got := newRig(t, acptest.Options{}).open("").play(strings.Join([]string{
		`update {"sessionUpdate":"usage_update","used":null,"size":200000}`,
		`update {"sessionUpdate":"agent_message_chunk","messageId":7,"content":{"type":"text","text":"here"}}`,
		`update {"sessionUpdate":"tool_call","toolCallId":"k","kind":"execute","status":"completed","title":"t","rawInput":"make all"}`,
	}, "\n"), frames.AccessAsk)
	want(t, got, `text "here"`, `act 1 begin "t"`, `act 1 ok "t"`, "usage 15 of 200000", "end done")
}

func TestHugeLineIsLeftOutAndTheTurnGoesOn(t *testing.T) {
	r := newRig(t, acptest.Options{})
	got := r.open("").play("say before\nbig 10485760\nsay  after", frames.AccessAsk)
	want(t, got, `text "before after"`, "usage 15 of 0", "end done")
	if !strings.Contains(r.log.String(), "too long") {
		t.Error("the log does not say that something was left out")
	}
}

func TestHugeLineThatIsNoUpdateEndsTheAgentInWords(t *testing.T) {
	got := newRig(t, acptest.Options{}).open("").play("line "+strings.Repeat("x", 9<<20), frames.AccessAsk)
	if last := got[len(got)-1]; !strings.HasPrefix(last, "end failed the agent ended unexpectedly") {
		t.Errorf("the end is %q", last)
	}
}

func TestNoisyStandardErrorIsDrained(t *testing.T) {
	got := newRig(t, acptest.Options{Start: "noise"}).open("").play("stderr 1000000\nsay fine", frames.AccessAsk)
	want(t, got, `text "fine"`, "usage 15 of 0", "end done")
}

func TestMessagesAreSetApartByABlankLine(t *testing.T) {
	chunk := func(id, text string) string {
		return `update {"sessionUpdate":"agent_message_chunk","messageId":"` + id + `","content":{"type":"text","text":"` + text + `"}}`
	}
	got := newRig(t, acptest.Options{}).open("").play(strings.Join([]string{
		chunk("m1", "One "), chunk("m1", "two."), chunk("m2", "Three.\\n"),
		`update {"sessionUpdate":"usage_update","used":10,"size":100}`,
		chunk("m2", "Four."), "run true", chunk("m2", "Five.\\n\\n"), "think hm", chunk("m2", "Six."),
	}, "\n"), frames.AccessAsk, frames.AcceptOnce)
	var text []string
	for _, line := range got {
		if strings.HasPrefix(line, "text ") {
			text = append(text, line)
		}
	}
	want(t, text, `text "One two.\n\nThree.\nFour."`, `text "\n\nIt is done.\n\nFive.\n\n"`, `text "Six."`)
}

func TestRequestsOfOtherKindsAreShownAndRefused(t *testing.T) {
	for _, method := range []string{"fs/read_text_file", "fs/write_text_file", "terminal/create", "elicitation/create", "_their/own"} {
		got := newRig(t, acptest.Options{}).open("").play("call "+method+` {"path":"/etc/passwd"}`, frames.AccessAsk)
		if !hasLine(got, `act 1 failed "Refused a request: `+method+`"`) || !strings.Contains(strings.Join(got, ""), "-32601") {
			t.Errorf("%s: %q", method, got)
		}
	}
}

func TestNeitherFilesNorTerminalsAreOffered(t *testing.T) {
	r := newRig(t, acptest.Options{})
	r.open("").play("say x", frames.AccessAsk)
	hello, _, _ := strings.Cut(r.requests(), "\n")
	for _, offer := range []string{`"readTextFile":true`, `"writeTextFile":true`, `"terminal":true`} {
		if strings.Contains(hello, offer) {
			t.Errorf("%s is offered: %s", offer, hello)
		}
	}
}

func TestCancelThatTheAgentLosesIsRepeated(t *testing.T) {
	p := newRig(t, acptest.Options{LoseCancel: 1}).open("")
	p.start("say x\nhang", frames.AccessAsk)
	p.next()
	if err := p.s.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	want(t, endOf(p.finish()), "end cancelled")
}

func TestCancelNeverOvertakesItsPrompt(t *testing.T) {
	r := newRig(t, acptest.Options{})
	p := r.open("")
	p.play("say x", frames.AccessAsk)
	for range 30 {
		p.start("hang", frames.AccessAsk)
		if err := p.s.Cancel(t.Context()); err != nil {
			t.Fatal(err)
		}
		want(t, endOf(p.finish()), "end cancelled")
	}
	prompts := 0
	for line := range strings.Lines(r.requests()) {
		switch {
		case strings.Contains(line, `"session/prompt"`):
			prompts++
		case strings.Contains(line, `"session/cancel"`) && prompts < 2:
			t.Fatal("a cancel came before the prompt that it belongs to")
		}
	}
}

func TestStopReasonsAreToldInWords(t *testing.T) {
	p := newRig(t, acptest.Options{}).open("")
	for reason, words := range map[string]string{
		"max_tokens": "limit of tokens", "max_turn_requests": "limit of requests", "refusal": "refuses",
	} {
		got := strings.Join(p.play("say x\nstop "+reason, frames.AccessAsk), "\n")
		if !strings.Contains(got, words) || !strings.HasSuffix(got, "end done") {
			t.Errorf("%s: %q", reason, got)
		}
	}
	got := p.play("say x\nstop cancelled", frames.AccessAsk)
	if got[len(got)-1] != "end failed The agent stopped by itself." {
		t.Errorf("a stop that nobody asked for: %q", got)
	}
}

func TestTurnThatEndsByADeclineIsNoCancel(t *testing.T) {
	got := newRig(t, acptest.Options{}).open("").play(`ask {"toolCall":`+command+"}\nstop cancelled", frames.AccessAsk, frames.Decline)
	if !strings.Contains(strings.Join(got, "\n"), "(That was declined, and the agent stopped.)") || got[len(got)-1] != "end done" {
		t.Errorf("the events are %q", got)
	}
}

func TestErrorsAreToldByTheirCause(t *testing.T) {
	p := newRig(t, acptest.Options{}).open("")
	for script, words := range map[string]string{
		"fail Internal error: Incorrect API key":             "end failed Internal error: Incorrect API key",
		`faildata {"message":"401 Unauthorized","info":"x"}`: "end failed 401 Unauthorized",
		`faildata {"details":"No model."}`:                   "end failed No model.",
		`faildata {"error":{"message":"nested"}}`:            "end failed nested",
		`faildata [1]`: "end failed Internal error",
	} {
		if got := p.play(script, frames.AccessAsk); got[len(got)-1] != words {
			t.Errorf("%s: %q", script, got)
		}
	}
}

func TestPlanIsShownAsActivities(t *testing.T) {
	plan := func(first, second string) string {
		return `update {"sessionUpdate":"plan","entries":[{"content":"Look around","status":"` + first + `"},{"content":"Mend it","status":"` + second + `"}]}`
	}
	got := newRig(t, acptest.Options{}).open("").play(strings.Join([]string{
		plan("pending", "pending"), plan("in_progress", "pending"), plan("completed", "in_progress"),
	}, "\n"), frames.AccessAsk)
	want(t, got, `act 1 begin "Plan 1/2: Look around"`, `act 1 ok "Plan 1/2: Look around"`,
		`act 2 begin "Plan 2/2: Mend it"`, `act 2 ok "Plan 2/2: Mend it"`, "usage 15 of 0", "end done")
}

func TestThoughtsThatCodexACPRepeatsAreShownOnce(t *testing.T) {
	script := "think **A heading**\nthink  and then some words.\nthink **A heading** and then some words.\nsay x"
	p := newRig(t, acptest.Options{}, func(c *Config) { c.Name = "codex-acp" }).open("")
	want(t, p.play(script, frames.AccessAsk)[:1], `think "**A heading** and then some words."`)
}

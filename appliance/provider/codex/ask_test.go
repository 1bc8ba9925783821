package codex

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// asked plays a turn whose server asks something, and returns the approval, nil
// if there was none, and what the server got.
func asked(t *testing.T, request string, d frames.Decision) (*provider.ApprovalEvent, string, []provider.Event) {
	t.Helper()
	st := newStage(t)
	all := st.play("[[ask "+strings.ReplaceAll(request, "WORKSPACE", st.s.(*session).spec.Workspace)+"]]", d)
	var ask *provider.ApprovalEvent
	if found := of[provider.ApprovalEvent](all); len(found) > 0 {
		ask = &found[0]
	}
	return ask, strings.TrimPrefix(saying(all), "answered "), all
}

// lines writes a detail down.
func lines(ask *provider.ApprovalEvent) []string {
	var all []string
	for _, l := range ask.Detail {
		all = append(all, fmt.Sprintf("%d %s", l.Kind, l.Text))
	}
	return all
}

func TestCommandIsShownAsItWillRun(t *testing.T) {
	ask, answer, _ := asked(t, `{"method":"item/commandExecution/requestApproval","params":{"kind":"command","itemId":"c",
		"command":"/bin/bash -lc 'make test\necho done'","cwd":"WORKSPACE/sub","reason":"It needs the network.",
		"additionalPermissions":{"network":{"enabled":true},"fileSystem":{"write":["/opt/x"],"read":null}}}}`, frames.AcceptForSession)
	if ask.Kind != frames.KindCommand || ask.Summary != "make test ..." {
		t.Errorf("the approval is %+v", ask)
	}
	want := []string{"3 It needs the network.", "0 make test", "0 echo done", "3 in sub", "0 the network", "0 write /opt/x"}
	if diff := cmp.Diff(want, lines(ask)); diff != "" {
		t.Error(diff)
	}
	if answer != `{"decision":"accept"}` {
		t.Errorf("the server got %s", answer)
	}
}

func TestNetworkApprovalNamesTheHost(t *testing.T) {
	ask, _, _ := asked(t, `{"method":"item/commandExecution/requestApproval","params":{"itemId":"c","command":"curl x",
		"networkApprovalContext":{"host":"example.com","protocol":"https"}}}`, frames.Decline)
	if ask.Summary != "network: example.com" || !cmp.Equal(lines(ask), []string{"3 network: https example.com", "0 curl x"}) {
		t.Errorf("the approval is %+v", ask)
	}
}

func TestInputToACommandIsShownAsInput(t *testing.T) {
	ask, _, _ := asked(t, `{"method":"item/commandExecution/requestApproval","params":{"kind":"writeStdin","itemId":"c","command":"y"}}`, frames.Decline)
	if ask.Summary != "type: y" {
		t.Errorf("the approval is %+v", ask)
	}
}

func TestPatchApprovalShowsTheDiffOfItsItem(t *testing.T) {
	st := newStage(t)
	ws := st.s.(*session).spec.Workspace
	item := `[[raw {"method":"item/started","params":{"threadId":"THREAD","turnId":"TURN","item":{"type":"fileChange","id":"p","changes":[
		{"path":"` + ws + `/a.bas","kind":{"type":"update","move_path":null},"diff":"@@ -1,2 +1,2 @@\n 10 PRINT\n-20 GOTO 10\n+20 END\n"},
		{"path":"` + ws + `/b.bas","kind":{"type":"delete"},"diff":"10 REM\n"},
		{"path":"/etc/c","kind":{"type":"add"},"diff":"x"}]}}}]]`
	all := st.play(strings.ReplaceAll(item, "\n\t\t", "")+
		`[[ask {"method":"item/fileChange/requestApproval","params":{"itemId":"p","reason":null,"grantRoot":null}}]]`, frames.AcceptOnce)
	ask := of[provider.ApprovalEvent](all)[0]
	if ask.Kind != frames.KindFile || ask.Summary != "edit a.bas and 2 more" {
		t.Errorf("the approval is %+v", ask)
	}
	want := []string{"3 edit a.bas", "3 @@ -1,2 +1,2 @@", "0 10 PRINT", "2 20 GOTO 10", "1 20 END",
		"3 delete b.bas", "2 10 REM", "3 add /etc/c", "1 x"}
	if diff := cmp.Diff(want, lines(&ask)); diff != "" {
		t.Error(diff)
	}
}

func TestPatchOfAnUnknownItemSaysSo(t *testing.T) {
	ask, _, _ := asked(t, `{"method":"item/fileChange/requestApproval","params":{"itemId":"never seen","grantRoot":"/srv"}}`, frames.Decline)
	want := []string{"3 and all of /srv for the session", "3 Codex does not say what it would change."}
	if diff := cmp.Diff(want, lines(ask)); diff != "" {
		t.Error(diff)
	}
}

func TestPermissionsAreGrantedAsAskedOrNotAtAll(t *testing.T) {
	const request = `{"method":"item/permissions/requestApproval","params":{"itemId":"c","cwd":"/w","reason":"To build.","permissions":{"fileSystem":{"write":["/opt"]}}}}`
	for d, want := range map[frames.Decision]string{
		frames.AcceptOnce:       `{"permissions":{"fileSystem":{"write":["/opt"]}},"scope":"turn"}`,
		frames.AcceptForSession: `{"permissions":{"fileSystem":{"write":["/opt"]}},"scope":"turn"}`,
		frames.Decline:          `{"permissions":{},"scope":"turn"}`,
	} {
		ask, answer, _ := asked(t, request, d)
		if answer != want || ask.Kind != frames.KindFile || ask.Summary != "permission: write /opt" {
			t.Errorf("decision %d: %s; %+v", d, answer, ask)
		}
	}
}

func TestToolOfAServerIsApproved(t *testing.T) {
	const request = `{"method":"mcpServer/elicitation/request","params":{"serverName":"c64","mode":"form","message":"Allow poke?",
		"_meta":{"codex_approval_kind":"mcp_tool_call","persist":["session","always"],"tool_params":{"addr":53280}},"requestedSchema":{"type":"object","properties":{}}}}`
	for d, want := range map[frames.Decision]string{
		frames.AcceptOnce:       `{"_meta":null,"action":"accept","content":{}}`,
		frames.AcceptForSession: `{"_meta":null,"action":"accept","content":{}}`,
		frames.Decline:          `{"_meta":null,"action":"decline","content":null}`,
	} {
		ask, answer, _ := asked(t, request, d)
		if answer != want || ask.Summary != "c64: Allow poke?" {
			t.Errorf("decision %d: %s; %+v", d, answer, ask)
		}
		if diff := cmp.Diff([]string{"3 Allow poke?", "0 {", `0  "addr": 53280`, "0 }"}, lines(ask)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestFormIsShownAndDeclined(t *testing.T) {
	for _, params := range []string{
		`{"serverName":"c64","mode":"form","message":"Your name?","requestedSchema":{"properties":{"name":{"type":"string"}}}}`,
		`{"serverName":"c64","mode":"url","message":"Your name?","url":"http://127.0.0.1/"}`,
	} {
		ask, answer, all := asked(t, `{"method":"mcpServer/elicitation/request","params":`+params+`}`, frames.AcceptOnce)
		if ask != nil || !strings.Contains(answer, `"action":"decline"`) {
			t.Errorf("asked %+v, answered %s", ask, answer)
		}
		if got := labels(all, frames.ActivityFailed); len(got) != 1 || !strings.Contains(got[0], "Your name?") {
			t.Errorf("it was told as %q", got)
		}
	}
}

const colour = `{"method":"item/tool/requestUserInput","params":{"itemId":"q","isBlocking":true,"questions":[{"id":"q1","header":"Colour",
	"question":"Which border?","isOther":true,"isSecret":false,"options":[{"label":"Blue","description":"as usual"},{"label":"Black","description":""}]}]}}`

func TestQuestionOfTwoAnswersIsAChoice(t *testing.T) {
	for d, want := range map[frames.Decision]string{
		frames.AcceptOnce: `{"answers":{"q1":{"answers":["Blue"]}}}`,
		frames.Decline:    `{"answers":{"q1":{"answers":["Black"]}}}`,
	} {
		ask, answer, _ := asked(t, colour, d)
		if answer != want || ask.Summary != "Which border? ACCEPT Blue, DECLINE Black" {
			t.Errorf("decision %d: %s; %+v", d, answer, ask)
		}
	}
}

func TestOtherQuestionsAreRefusedInWords(t *testing.T) {
	for _, request := range []string{
		strings.Replace(colour, `"isSecret":false`, `"isSecret":true`, 1),
		strings.Replace(colour, `{"label":"Blue","description":"as usual"},`, "", 1),
	} {
		ask, answer, all := asked(t, request, frames.AcceptOnce)
		if ask != nil || !strings.Contains(answer, "Ask it in the text of your answer") {
			t.Errorf("asked %+v, answered %s", ask, answer)
		}
		if got := labels(all, frames.ActivityFailed); len(got) != 1 || !strings.Contains(got[0], "Which border?") {
			t.Errorf("it was told as %q", got)
		}
	}
}

func TestUnknownRequestIsShownAndDeclined(t *testing.T) {
	ask, answer, all := asked(t, `{"method":"item/mind/read","params":{}}`, frames.AcceptOnce)
	if ask != nil || !strings.Contains(answer, "cannot answer item/mind/read") {
		t.Errorf("asked %+v, answered %s", ask, answer)
	}
	if got := labels(all, frames.ActivityFailed); len(got) != 1 || !strings.Contains(got[0], "item/mind/read") {
		t.Errorf("it was told as %q", got)
	}
}

func TestRequestOfNoThreadIsShownAndDeclined(t *testing.T) {
	st := newStage(t)
	st.start("[[hang]]", asking)
	await[provider.TextEvent](st)
	st.Send(`{"id":7,"method":"attestation/generate","params":{}}`)
	if e := await[provider.ActivityEvent](st); !strings.Contains(e.Label, "attestation/generate") {
		t.Errorf("it was told as %+v", e)
	}
}

func TestWithdrawnApprovalIsGone(t *testing.T) {
	st := newStage(t)
	st.start("[[run true]]", asking)
	ask := await[provider.ApprovalEvent](st)
	st.Send(`{"method":"serverRequest/resolved","params":{"threadId":"` + st.s.ID() + `","requestId":0}}`)
	if gone := await[provider.ApprovalGoneEvent](st); gone.ID != ask.ID || gone.Reason == "" {
		t.Errorf("gone is %+v", gone)
	}
	if err := st.s.Decide(t.Context(), ask.ID, frames.AcceptOnce); err != provider.ErrApprovalGone {
		t.Errorf("Decide: %v", err)
	}
}

func TestCancelAsADecisionCancelsTheTurnForEveryKind(t *testing.T) {
	for _, request := range []string{colour,
		`{"method":"item/permissions/requestApproval","params":{"permissions":{"network":{"enabled":true}}}}`,
		`{"method":"mcpServer/elicitation/request","params":{"serverName":"c64","mode":"form","message":"Allow?"}}`,
	} {
		_, _, all := asked(t, request, frames.CancelTurn)
		if endOf(all).End != provider.EndCancelled {
			t.Errorf("%.60s ended as %+v", request, endOf(all))
		}
	}
}

func TestAcceptanceForTheSessionCoversTheSameQuestion(t *testing.T) {
	for _, c := range []struct{ name, same, other string }{
		{"command", `{"method":"item/commandExecution/requestApproval","params":{"command":"ls","cwd":"/w"}}`,
			`{"method":"item/commandExecution/requestApproval","params":{"command":"ls","cwd":"/w","additionalPermissions":{"network":{"enabled":true}}}}`},
		{"permissions", `{"method":"item/permissions/requestApproval","params":{"permissions":{"network":{"enabled":true}}}}`,
			`{"method":"item/permissions/requestApproval","params":{"permissions":{"fileSystem":{"write":["/"]}}}}`},
		{"tool", `{"method":"mcpServer/elicitation/request","params":{"serverName":"c64","message":"Allow?","_meta":{"codex_approval_kind":"mcp_tool_call","tool_name":"peek"}}}`,
			`{"method":"mcpServer/elicitation/request","params":{"serverName":"c64","message":"Allow?","_meta":{"codex_approval_kind":"mcp_tool_call","tool_name":"poke"}}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			st := newStage(t)
			all := st.play("[[ask "+c.same+"]][[ask "+c.same+"]][[ask "+c.other+"]]", frames.AcceptForSession, frames.Decline)
			if n := len(of[provider.ApprovalEvent](all)); n != 2 {
				t.Errorf("it asked %d times", n)
			}
			st.start("[[ask "+c.same+"]]", provider.TurnOptions{Access: frames.AccessReadOnly})
			if n := len(of[provider.ApprovalEvent](st.finish(frames.Decline))); n != 1 {
				t.Errorf("under read-only access it asked %d times", n)
			}
		})
	}
}

func TestInputToACommandIsAcceptedOnlyOnce(t *testing.T) {
	st := newStage(t)
	const input = `[[ask {"method":"item/commandExecution/requestApproval","params":{"kind":"writeStdin","command":"y"}}]]`
	all := st.play(input+input, frames.AcceptForSession, frames.AcceptForSession)
	if n := len(of[provider.ApprovalEvent](all)); n != 2 {
		t.Errorf("it asked %d times", n)
	}
}

package framestest

import (
	"bytes"
	"fmt"

	"github.com/prompt64/prompt64/frames"
)

var vectorToken = frames.Token{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

func long(n int) []byte { return bytes.Repeat([]byte("x"), n) }

// named is a valid message under a name.
type named struct {
	name string
	m    frames.Message
}

// makeVectors makes all golden vectors, the valid ones first.
func makeVectors() []Vector {
	var out []Vector
	for _, n := range validToBridge() {
		out = append(out, newVector(n.name, frames.ToBridge, n.m.AppendTo(nil)))
	}
	for _, n := range validToC64() {
		out = append(out, newVector(n.name, frames.ToC64, n.m.AppendTo(nil)))
	}
	out = append(out, wrongLengths()...)
	return append(out, wrongValues()...)
}

func validToBridge() []named {
	return []named{
		{"hello", frames.Hello{}},
		{"lease get", frames.LeaseGet{}},
		{"reconnect, nothing applied", frames.Reconnect{Token: vectorToken}},
		{"reconnect, sequence wraps", frames.Reconnect{Token: vectorToken, Applied: 65535}},
		{"release asked", frames.SessionRelease{}},
		{"heartbeat", frames.Heartbeat{}},
		{"user text, shortest", frames.UserText{Text: []byte("a")}},
		{"user text, two lines", frames.UserText{Text: []byte("a\nb")}},
		{"user text, tokens", frames.UserText{Text: []byte{0x80, 0xFF}}},
		{"user text, longest", frames.UserText{Text: long(frames.MaxPromptText)}},
		{"turn cancel", frames.TurnCancel{}},
		{"decision, unnamed", frames.ApprovalDecision{Decision: frames.AcceptOnce}},
		{"decision, named", frames.ApprovalDecision{Decision: frames.AcceptForSession, Named: true, Request: 0x8005}},
		{"decision, decline", frames.ApprovalDecision{Decision: frames.Decline, Named: true, Request: 0}},
		{"decision, cancel", frames.ApprovalDecision{Decision: frames.CancelTurn, Named: true, Request: 65535}},
		{"settings get", frames.SettingsGet{}},
		{"settings set, reasoning alone", frames.SettingsSet{Reasoning: frames.ReasoningOff}},
		{"settings set, both", frames.SettingsSet{Reasoning: frames.ReasoningDeveloper, HasDisplay: true, Display: 1}},
		{"workspace set, root", frames.WorkspaceSet{Path: []byte{}}},
		{"workspace set, folder", frames.WorkspaceSet{Path: []byte("src/game")}},
		{"workspace set, longest", frames.WorkspaceSet{Path: long(frames.MaxPromptText)}},
		{"session list get", frames.SessionListGet{}},
		{"session select, first", frames.SessionSelect{Index: 0}},
		{"session select, new", frames.SessionSelect{Index: frames.SessionNew}},
		{"access set, read only", frames.AccessSet{Access: frames.AccessReadOnly}},
		{"access set, auto review", frames.AccessSet{Access: frames.AccessAutoReview}},
		{"history get", frames.HistoryGet{}},
		{"dashboard get, status", frames.DashboardGet{Tab: frames.TabStatus}},
		{"dashboard get, actions", frames.DashboardGet{Tab: frames.TabActions}},
		{"action get", frames.ActionGet{Index: 255}},
		{"diff get", frames.DiffGet{Index: 127}},
		{"detail get", frames.ApprovalDetailGet{Request: 0xFFFE}},
		{"workspace list get, root", frames.WorkspaceListGet{Path: []byte{}}},
		{"workspace list get, folder", frames.WorkspaceListGet{Path: []byte("src")}},
		{"pair", frames.Pair{Code: [8]byte([]byte("AZBY2389"))}},
	}
}

func validToC64() []named {
	out := []named{
		{"hello ok", frames.HelloOk{Major: 2, Capabilities: frames.AllCapabilities}},
		{"hello ok, plain bridge", frames.HelloOk{Major: 2, Minor: 0, Capabilities: 0xFF}},
		{"lease state", frames.LeaseState{Token: vectorToken, Lifetime: frames.LeaseSeconds}},
		{"reconnect state, idle", frames.ReconnectState{Token: vectorToken}},
		{"reconnect state, active", frames.ReconnectState{Token: vectorToken, Active: true, Latest: 65535}},
		{"reconnect done", frames.ReconnectDone{}},
		{"release acknowledged", frames.SessionRelease{}},
		{"heartbeat ack", frames.HeartbeatAck{}},
		{"assistant delta, empty", frames.AssistantDelta{Seq: 0, Text: []byte{}}},
		{"assistant delta, token", frames.AssistantDelta{Seq: 1, Text: []byte{0x7E, 0xFF}}},
		{"assistant delta, longest", frames.AssistantDelta{Seq: 65535, Text: long(frames.MaxDeltaText)}},
		{"turn done, wrapped", frames.TurnDone{Seq: 0}},
		{"reasoning delta, lines", frames.ReasoningDelta{Seq: 258, Text: []byte("a\n\nb")}},
		{"reasoning delta, longest", frames.ReasoningDelta{Seq: 3, Text: long(frames.MaxDeltaText)}},
		{"turn cancelled", frames.TurnCancelled{Seq: 32768}},
		{"approval request, command", frames.ApprovalRequest{Seq: 5, Kind: frames.KindCommand, Summary: []byte("make test")}},
		{"approval request, longest", frames.ApprovalRequest{Seq: 6, Kind: frames.KindFile, Summary: long(frames.MaxSummary)}},
		{"activity started", frames.ActivityEvent{Seq: 7, Lifecycle: frames.ActivityStarted, Label: []byte("make")}},
		{"activity failed, longest", frames.ActivityEvent{Seq: 8, Lifecycle: frames.ActivityFailed, Label: long(frames.MaxLabel)}},
		{"turn failed, empty", frames.TurnFailed{Seq: 9, Summary: []byte{}}},
		{"turn failed, longest", frames.TurnFailed{Seq: 10, Summary: long(frames.MaxDeltaText)}},
		{"history text, starts", frames.HistoryText{Start: true, Speaker: frames.SpeakerAssistant, Text: []byte("hi")}},
		{"history text, goes on", frames.HistoryText{Speaker: frames.SpeakerUser, Text: long(frames.MaxHistoryText)}},
		{"approval ack", frames.ApprovalAck{Seq: 11}},
		{"settings state", frames.SettingsState{Reasoning: frames.ReasoningDetailed, Display: 1}},
		{"workspace state, root", frames.WorkspaceState{Path: []byte{}}},
		{"workspace state, longest", frames.WorkspaceState{Path: long(frames.MaxErrorText)}},
		{"session entry", frames.SessionEntry{Index: 31, Current: true, Title: long(frames.MaxEntryTitle)}},
		{"session list done", frames.SessionListDone{Count: 32}},
		{"session state, new", frames.SessionState{Index: frames.SessionNew, Title: []byte{}}},
		{"session state, longest", frames.SessionState{Index: 0, Title: long(frames.MaxSessionTitle)}},
		{"access state", frames.AccessState{Access: frames.AccessAsk}},
		{"history done", frames.HistoryDone{Entries: 255}},
		{"action text", frames.ActionText{Text: []byte("Review\nmy changes")}},
		{"diff line, addition", frames.DiffLine{Start: true, Kind: frames.LineAddition, Text: []byte("x := 1")}},
		{"diff line, goes on", frames.DiffLine{Kind: frames.LineMetadata, Text: long(frames.MaxLineText)}},
		{"diff done", frames.DiffDone{}},
		{"detail line", frames.ApprovalDetailLine{Start: true, Request: 5, Kind: frames.LineDeletion, Text: long(frames.MaxDetailText)}},
		{"detail done", frames.ApprovalDetailDone{Request: 5, Lines: 255}},
		{"workspace entry, repository", frames.WorkspaceEntry{Git: true, Name: []byte("ab")}},
		{"workspace entry, longest", frames.WorkspaceEntry{Index: 127, Name: long(frames.MaxEntryName)}},
		{"workspace list done", frames.WorkspaceListDone{Count: 128}},
		{"pair state", frames.PairState{}},
		{"error", frames.Error{Text: []byte(frames.ErrorVersion)}},
		{"error, longest", frames.Error{Text: long(frames.MaxErrorText)}},
	}
	return append(out, dashboardRows()...)
}

func dashboardRows() []named {
	change := func(r frames.ChangeRow) []byte { return r.AppendTo(nil) }
	return []named{
		{"dashboard entry, status", frames.DashboardEntry{Row: 4, Data: []byte("TURN: idle")}},
		{"dashboard entry, activity", frames.DashboardEntry{Tab: frames.TabActivity, Row: 63,
			Data: frames.ActivityRow{Lifecycle: frames.ActivityCompleted, Label: []byte("make")}.AppendTo(nil)}},
		{"dashboard entry, change", frames.DashboardEntry{Tab: frames.TabChanges,
			Data: change(frames.ChangeRow{State: 'M', Added: 3, Deleted: 1, Path: []byte("a.txt")})}},
		{"dashboard entry, binary", frames.DashboardEntry{Tab: frames.TabChanges, Row: 1,
			Data: change(frames.ChangeRow{State: '?', Added: frames.BinaryFile, Deleted: frames.BinaryFile, Path: []byte("z")})}},
		{"dashboard entry, longest", frames.DashboardEntry{Tab: frames.TabChanges, Row: 127,
			Data: change(frames.ChangeRow{State: 'R', Path: long(frames.MaxChangePath)})}},
		{"dashboard entry, action", frames.DashboardEntry{Tab: frames.TabActions, Row: 255, Data: []byte("Run the tests")}},
		{"dashboard done", frames.DashboardDone{Tab: frames.TabChanges, Count: 128}},
	}
}

// wrongLengths has, for every type, a payload one byte beyond what it allows, one
// byte short of it, and the type on the wrong way.
func wrongLengths() []Vector {
	var out []Vector
	add := func(name string, d frames.Direction, t frames.Type, n int) {
		if v := newVector(name, d, frames.AppendFrame(nil, t, 0, make([]byte, n))); v.Fault == "framing" {
			out = append(out, v)
		}
	}
	for i := range 256 {
		t := frames.Type(i)
		for _, d := range []frames.Direction{frames.ToBridge, frames.ToC64} {
			if !t.Known() || !t.Allowed(d) {
				continue
			}
			low, high := bounds(d, t)
			if low > 0 {
				add(fmt.Sprintf("%v, short, %v", t, d), d, t, low-1)
			}
			add(fmt.Sprintf("%v, long, %v", t, d), d, t, high+1)
			if !t.Allowed(1 - d) {
				add(fmt.Sprintf("%v, wrong way", t), 1-d, t, low)
			}
		}
	}
	add("decision with half a name", frames.ToBridge, frames.TypeApprovalDecision, 2)
	add("unknown type", frames.ToBridge, 0x40, 0)
	add("type zero", frames.ToC64, 0, 0)
	http := newVector("an HTTP request", frames.ToBridge, []byte("GET / HTTP/1.1\r\n\r\n"))
	old := newVector("hello of version 1", frames.ToBridge, frames.AppendFrame(nil, frames.TypeHello, 0, []byte("PROMPT64/1")))
	row := newVector("change row too short", frames.ToC64, frames.AppendFrame(nil, frames.TypeDashboardEntry, 0, []byte{2, 0, 'M', 0, 0, 0}))
	return append(out, http, old, row)
}

// bounds finds the shortest and the longest payload of t that is well framed.
func bounds(d frames.Direction, t frames.Type) (low, high int) {
	low = -1
	for n := range d.MaxPayload() + 1 {
		head := frames.AppendFrame(nil, t, 0, make([]byte, n))
		if _, err := frames.NewReader(bytes.NewReader(head), d).Next(); err == nil {
			if low < 0 {
				low = n
			}
			high = n
		}
	}
	return low, high
}

func wrongValues() []Vector {
	var out []Vector
	for _, c := range []struct {
		name    string
		d       frames.Direction
		t       frames.Type
		payload []byte
	}{
		{"an empty prompt", frames.ToBridge, frames.TypeUserText, nil},
		{"a prompt with a carriage return", frames.ToBridge, frames.TypeUserText, []byte("a\r")},
		{"a prompt with 7F", frames.ToBridge, frames.TypeUserText, []byte{0x7F}},
		{"a path with a line break", frames.ToBridge, frames.TypeWorkspaceSet, []byte("a\nb")},
		{"a listed path with a zero", frames.ToBridge, frames.TypeWorkspaceListGet, []byte{0}},
		{"decision 4", frames.ToBridge, frames.TypeApprovalDecision, []byte{4}},
		{"reasoning 4", frames.ToBridge, frames.TypeSettingsSet, []byte{4}},
		{"access 3", frames.ToBridge, frames.TypeAccessSet, []byte{3}},
		{"tab 9", frames.ToBridge, frames.TypeDashboardGet, []byte{9}},
		{"a code with a 1", frames.ToBridge, frames.TypePair, []byte("ABCDEFG1")},
		{"major version 1", frames.ToC64, frames.TypeHelloOk, []byte{1, 0, 0, 0}},
		{"active 2", frames.ToC64, frames.TypeReconnectState, append(vectorToken[:16:16], 2, 0, 0)},
		{"kind 2", frames.ToC64, frames.TypeApprovalRequest, []byte{1, 0, 2}},
		{"a summary with a line break", frames.ToC64, frames.TypeApprovalRequest, []byte{1, 0, 0, '\n'}},
		{"lifecycle 3", frames.ToC64, frames.TypeActivityEvent, []byte{1, 0, 3}},
		{"speaker 2", frames.ToC64, frames.TypeHistoryText, []byte{2}},
		{"line kind 4", frames.ToC64, frames.TypeDiffLine, []byte{4}},
		{"detail kind 4", frames.ToC64, frames.TypeApprovalDetailLine, []byte{1, 0, 4}},
		{"a delta with an escape", frames.ToC64, frames.TypeAssistantDelta, []byte{1, 0, 27}},
		{"change state X", frames.ToC64, frames.TypeDashboardEntry, []byte{2, 0, 'X', 0, 0, 0, 0}},
		{"current 2", frames.ToC64, frames.TypeSessionEntry, []byte{0, 2}},
		{"pair state 0", frames.ToC64, frames.TypePairState, []byte{0}},
		{"an error with a line break", frames.ToC64, frames.TypeError, []byte("a\n")},
	} {
		out = append(out, newVector(c.name, c.d, frames.AppendFrame(nil, c.t, 0, c.payload)))
	}
	return out
}

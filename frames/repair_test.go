package frames

import (
	"bytes"
	"testing"
)

// overlong returns every message that has text, with far too much of it.
func overlong(text []byte) []sample {
	return []sample{
		{ToBridge, UserText{text}}, {ToBridge, WorkspaceSet{text}}, {ToBridge, WorkspaceListGet{text}},
		{ToC64, AssistantDelta{1, text}}, {ToC64, ReasoningDelta{1, text}}, {ToC64, TurnFailed{1, text}},
		{ToC64, ApprovalRequest{1, KindFile, text}}, {ToC64, ActivityEvent{1, ActivityFailed, text}},
		{ToC64, HistoryText{true, SpeakerUser, text}}, {ToC64, WorkspaceState{text}},
		{ToC64, SessionEntry{1, true, text}}, {ToC64, SessionState{1, text}}, {ToC64, ActionText{text}},
		{ToC64, DiffLine{true, LineContext, text}}, {ToC64, Error{text}},
		{ToC64, ApprovalDetailLine{true, 1, LineContext, text}}, {ToC64, WorkspaceEntry{true, 1, text}},
		{ToC64, DashboardEntry{TabActivity, 0, ActivityRow{0, text}.AppendTo(nil)}},
		{ToC64, DashboardEntry{TabChanges, 0, ChangeRow{'M', 1, 2, text}.AppendTo(nil)}},
	}
}

func TestTextBeyondItsLimitStillMakesAValidFullFrame(t *testing.T) {
	for _, s := range overlong(fill(70000)) {
		f := split(t, s.m.AppendTo(nil))
		if len(f.Payload) != s.d.MaxPayload() {
			t.Errorf("%T: %d bytes", s.m, len(f.Payload))
		}
		if _, err := Decode(s.d, f); err != nil {
			t.Errorf("%T: %v", s.m, err)
		}
	}
}

func TestUnsafeBytesNeverLeaveAnEncoder(t *testing.T) {
	var all []byte
	for b := range 256 {
		all = append(all, byte(b))
	}
	for part := range bytes.SplitSeq(all, []byte{'@'}) {
		for _, s := range overlong(part[:min(len(part), 80)]) {
			if _, err := Decode(s.d, split(t, s.m.AppendTo(nil))); err != nil {
				t.Errorf("%T: %v", s.m, err)
			}
		}
	}
}

func TestAppendFrameCutsWhatItsHeaderCannotSay(t *testing.T) {
	if b := AppendFrame(nil, TypeUserText, 0, fill(70000)); len(b) != HeaderSize+0xFFFF {
		t.Fatal(len(b))
	}
}

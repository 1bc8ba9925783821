package frames

import "bytes"

var sampleToken = Token{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF}

func fill(n int) []byte { return bytes.Repeat([]byte{'x'}, n) }

// sample is a message and the directions it travels in.
type sample struct {
	d Direction
	m Message
}

// samples holds at least one of every message, with text at its limit where it
// has text.
func samples() []sample {
	activity := ActivityRow{ActivityFailed, fill(MaxActivityLabel)}.AppendTo(nil)
	change := ChangeRow{'?', 1, BinaryFile, fill(MaxChangePath)}.AppendTo(nil)
	up := []Message{
		Hello{}, LeaseGet{}, Reconnect{sampleToken, 65535}, SessionRelease{}, Heartbeat{},
		UserText{fill(MaxPromptText)}, UserText{[]byte("a\nb")}, TurnCancel{},
		ApprovalDecision{Decision: CancelTurn}, ApprovalDecision{AcceptForSession, true, 0x8001},
		SettingsGet{}, SettingsSet{Reasoning: ReasoningDeveloper}, SettingsSet{ReasoningSummary, true, DisplayPalette},
		WorkspaceSet{fill(MaxPromptText)}, WorkspaceSet{[]byte{}}, SessionListGet{},
		SessionSelect{SessionNew}, AccessSet{AccessAutoReview}, HistoryGet{},
		DashboardGet{TabActions}, ActionGet{255}, DiffGet{0}, ApprovalDetailGet{0xFFFF},
		WorkspaceListGet{[]byte("a/b")}, Pair{[8]byte([]byte("ABYZ2389"))},
	}
	down := []Message{
		HelloOk{MajorVersion, MinorVersion, AllCapabilities}, LeaseState{sampleToken, LeaseSeconds},
		ReconnectState{sampleToken, true, 0}, ReconnectState{sampleToken, false, 65535}, ReconnectDone{},
		SessionRelease{}, HeartbeatAck{}, AssistantDelta{1, fill(MaxDeltaText)}, TurnDone{2},
		ReasoningDelta{3, fill(MaxDeltaText)}, TurnCancelled{4}, ApprovalRequest{5, KindFile, fill(MaxSummary)},
		ActivityEvent{6, ActivityCompleted, fill(MaxLabel)}, TurnFailed{7, fill(MaxDeltaText)},
		HistoryText{true, SpeakerAssistant, fill(MaxHistoryText)}, HistoryText{false, SpeakerUser, []byte("\n")},
		ApprovalAck{8}, SettingsState{ReasoningDetailed, DisplayPalette}, WorkspaceState{fill(MaxErrorText)},
		SessionEntry{31, true, fill(MaxEntryTitle)}, SessionListDone{32}, SessionState{SessionNew, fill(MaxSessionTitle)},
		AccessState{AccessReadOnly}, HistoryDone{255}, DashboardEntry{TabStatus, 6, fill(MaxRowData)},
		DashboardEntry{TabActivity, 63, activity}, DashboardEntry{TabChanges, 127, change},
		DashboardEntry{TabActions, 0, []byte("Run the tests")}, DashboardDone{TabChanges, 128},
		ActionText{fill(MaxErrorText)}, DiffLine{true, LineMetadata, fill(MaxLineText)}, DiffDone{},
		Error{fill(MaxErrorText)}, ApprovalDetailLine{true, 5, LineDeletion, fill(MaxDetailText)},
		ApprovalDetailDone{5, 255}, WorkspaceEntry{true, 127, fill(MaxEntryName)}, WorkspaceListDone{128}, PairState{},
	}
	var out []sample
	for _, m := range up {
		out = append(out, sample{ToBridge, m})
	}
	for _, m := range down {
		out = append(out, sample{ToC64, m})
	}
	return out
}

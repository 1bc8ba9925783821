package frames

import "strconv"

// ways is the set of directions in which a type travels.
type ways uint8

const (
	toBridge ways = 1 << ToBridge
	toC64    ways = 1 << ToC64
	both          = toBridge | toC64
)

// typeInfo is what the header alone decides about a type. min and max bound the
// payload; a max of text means "up to the limit of the direction".
type typeInfo struct {
	name      string // empty: the type is unknown
	words     string // how Error frames call it
	ways      ways
	sequenced bool
	min, max  int
}

const text = -1

var types = [256]typeInfo{
	TypeHello:              {"Hello", "HELLO", toBridge, false, len(Greeting), len(Greeting)},
	TypeHelloOk:            {"HelloOk", "HELLO OK", toC64, false, 4, 4},
	TypeLeaseGet:           {"LeaseGet", "LEASE GET", toBridge, false, 0, 0},
	TypeLeaseState:         {"LeaseState", "LEASE STATE", toC64, false, TokenSize + 2, TokenSize + 2},
	TypeReconnect:          {"Reconnect", "RECONNECT", toBridge, false, TokenSize + 2, TokenSize + 2},
	TypeReconnectState:     {"ReconnectState", "RECONNECT STATE", toC64, false, TokenSize + 3, TokenSize + 3},
	TypeReconnectDone:      {"ReconnectDone", "RECONNECT DONE", toC64, false, 0, 0},
	TypeSessionRelease:     {"SessionRelease", "RELEASE", both, false, 0, 0},
	TypeHeartbeat:          {"Heartbeat", "HEARTBEAT", toBridge, false, 0, 0},
	TypeHeartbeatAck:       {"HeartbeatAck", "HEARTBEAT ACK", toC64, false, 0, 0},
	TypeUserText:           {"UserText", "PROMPT", toBridge, false, 0, text},
	TypeAssistantDelta:     {"AssistantDelta", "ASSISTANT", toC64, true, 2, text},
	TypeTurnDone:           {"TurnDone", "TURN DONE", toC64, true, 2, 2},
	TypeReasoningDelta:     {"ReasoningDelta", "REASONING TEXT", toC64, true, 2, text},
	TypeTurnCancel:         {"TurnCancel", "CANCEL", toBridge, false, 0, 0},
	TypeTurnCancelled:      {"TurnCancelled", "TURN CANCELLED", toC64, true, 2, 2},
	TypeApprovalRequest:    {"ApprovalRequest", "APPROVAL REQUEST", toC64, true, 3, text},
	TypeApprovalDecision:   {"ApprovalDecision", "APPROVAL", toBridge, false, 1, 3},
	TypeActivityEvent:      {"ActivityEvent", "ACTIVITY", toC64, true, 3, text},
	TypeTurnFailed:         {"TurnFailed", "TURN FAILED", toC64, true, 2, text},
	TypeHistoryText:        {"HistoryText", "HISTORY TEXT", toC64, false, 1, text},
	TypeApprovalAck:        {"ApprovalAck", "APPROVAL ACK", toC64, true, 2, 2},
	TypeSettingsGet:        {"SettingsGet", "SETTINGS GET", toBridge, false, 0, 0},
	TypeSettingsSet:        {"SettingsSet", "SETTINGS", toBridge, false, 1, 2},
	TypeSettingsState:      {"SettingsState", "SETTINGS STATE", toC64, false, 2, 2},
	TypeWorkspaceSet:       {"WorkspaceSet", "WORKSPACE", toBridge, false, 0, text},
	TypeWorkspaceState:     {"WorkspaceState", "WORKSPACE STATE", toC64, false, 0, text},
	TypeSessionListGet:     {"SessionListGet", "SESSION LIST", toBridge, false, 0, 0},
	TypeSessionEntry:       {"SessionEntry", "SESSION ENTRY", toC64, false, 2, text},
	TypeSessionListDone:    {"SessionListDone", "SESSION LIST DONE", toC64, false, 1, 1},
	TypeSessionSelect:      {"SessionSelect", "SESSION SELECT", toBridge, false, 1, 1},
	TypeSessionState:       {"SessionState", "SESSION STATE", toC64, false, 1, text},
	TypeAccessSet:          {"AccessSet", "ACCESS", toBridge, false, 1, 1},
	TypeAccessState:        {"AccessState", "ACCESS STATE", toC64, false, 1, 1},
	TypeHistoryGet:         {"HistoryGet", "HISTORY", toBridge, false, 0, 0},
	TypeHistoryDone:        {"HistoryDone", "HISTORY DONE", toC64, false, 1, 1},
	TypeDashboardGet:       {"DashboardGet", "DASHBOARD", toBridge, false, 1, 1},
	TypeDashboardEntry:     {"DashboardEntry", "DASHBOARD ENTRY", toC64, false, 2, text},
	TypeDashboardDone:      {"DashboardDone", "DASHBOARD DONE", toC64, false, 2, 2},
	TypeActionGet:          {"ActionGet", "ACTION", toBridge, false, 1, 1},
	TypeActionText:         {"ActionText", "ACTION TEXT", toC64, false, 0, text},
	TypeDiffGet:            {"DiffGet", "DIFF", toBridge, false, 1, 1},
	TypeDiffLine:           {"DiffLine", "DIFF LINE", toC64, false, 1, text},
	TypeDiffDone:           {"DiffDone", "DIFF DONE", toC64, false, 0, 0},
	TypeApprovalDetailGet:  {"ApprovalDetailGet", "DETAIL", toBridge, false, 2, 2},
	TypeApprovalDetailLine: {"ApprovalDetailLine", "DETAIL LINE", toC64, false, 3, text},
	TypeApprovalDetailDone: {"ApprovalDetailDone", "DETAIL DONE", toC64, false, 3, 3},
	TypeWorkspaceListGet:   {"WorkspaceListGet", "WORKSPACE LIST", toBridge, false, 0, text},
	TypeWorkspaceEntry:     {"WorkspaceEntry", "WORKSPACE ENTRY", toC64, false, 1, text},
	TypeWorkspaceListDone:  {"WorkspaceListDone", "WORKSPACE LIST DONE", toC64, false, 1, 1},
	TypePair:               {"Pair", "PAIR", toBridge, false, PairingCodeSize, PairingCodeSize},
	TypePairState:          {"PairState", "PAIR STATE", toC64, false, 1, 1},
	TypeError:              {"Error", "ERROR", toC64, false, 0, text},
}

// String returns the protocol's name of t, or its number where it has none.
func (t Type) String() string {
	if n := types[t].name; n != "" {
		return n
	}
	return "Type(0x" + hex2(t) + ")"
}

// Known reports whether t is a type of the protocol.
func (t Type) Known() bool { return types[t].name != "" }

// Allowed reports whether t may travel in direction d.
func (t Type) Allowed(d Direction) bool { return types[t].ways&(1<<d) != 0 }

// Sequenced reports whether frames of type t begin with a sequence.
func (t Type) Sequenced() bool { return types[t].sequenced }

func (t Type) words() string {
	if w := types[t].words; w != "" {
		return w
	}
	return "TYPE $" + hex2(t)
}

func hex2(t Type) string {
	const digits = "0123456789ABCDEF"
	return string([]byte{digits[t>>4], digits[t&15]})
}

// String names the direction.
func (d Direction) String() string {
	if d == ToC64 {
		return "to C64"
	}
	return "to bridge"
}

// MaxPayload is the direction's payload limit.
func (d Direction) MaxPayload() int {
	if d == ToC64 {
		return MaxPayloadToC64
	}
	return MaxPayloadToBridge
}

// checkLength judges n payload bytes of a known type t in direction d.
func checkLength(d Direction, t Type, n int) error {
	info := &types[t]
	limit := info.max
	if limit == text {
		limit = d.MaxPayload()
	}
	if n > limit && limit == 0 {
		return framing(t, info.words+" TAKES NO PAYLOAD")
	}
	if n > limit {
		return framing(t, info.words+" TOO LONG, "+bytesAre(n, limit))
	}
	if n < info.min {
		return framing(t, info.words+" TOO SHORT, "+bytesAre(n, info.min))
	}
	if t == TypeApprovalDecision && n == 2 {
		return framing(t, info.words+" HAS HALF A SEQUENCE")
	}
	return nil
}

func bytesAre(n, limit int) string {
	return strconv.Itoa(n) + " BYTES FOR " + strconv.Itoa(limit)
}

// Sequence returns the sequence of an asynchronous frame, and false for any
// other frame.
func Sequence(f Frame) (uint16, bool) {
	if !f.Type.Sequenced() || len(f.Payload) < sequenceSize {
		return 0, false
	}
	return u16(f.Payload), true
}

package frames

// Message is any message of the protocol.
type Message interface {
	// Type is the first byte of its frame.
	Type() Type
	// AppendTo appends its whole frame, header included, to dst. Text beyond the
	// limit and bytes that are not display-safe are a programmer's error; they
	// are cut and replaced, so that the frame is valid all the same.
	AppendTo(dst []byte) []byte
}

// Decode reads any frame that may travel in direction d. It allocates: code that
// serves frames switches on the type and decodes into a variable of its own.
// The message's text aliases f.
func Decode(d Direction, f Frame) (Message, error) {
	if err := checkHeader(d, f.Type, len(f.Payload)); err != nil {
		return nil, err
	}
	return decoders[f.Type](f)
}

// checkHeader judges what a header says before its payload is read.
func checkHeader(d Direction, t Type, n int) error {
	if !t.Known() {
		return framing(t, t.words()+" UNKNOWN")
	}
	if !t.Allowed(d) {
		return framing(t, t.words()+" NOT ALLOWED HERE")
	}
	return checkLength(d, t, n)
}

// decodable is a pointer to a message.
type decodable[M Message] interface {
	*M
	Decode(Frame) error
}

func decodeAs[M Message, P decodable[M]](f Frame) (Message, error) {
	var m M
	if err := P(&m).Decode(f); err != nil {
		return nil, err
	}
	return m, nil
}

var decoders = [256]func(Frame) (Message, error){
	TypeHello:              decodeAs[Hello],
	TypeHelloOk:            decodeAs[HelloOk],
	TypeLeaseGet:           decodeAs[LeaseGet],
	TypeLeaseState:         decodeAs[LeaseState],
	TypeReconnect:          decodeAs[Reconnect],
	TypeReconnectState:     decodeAs[ReconnectState],
	TypeReconnectDone:      decodeAs[ReconnectDone],
	TypeSessionRelease:     decodeAs[SessionRelease],
	TypeHeartbeat:          decodeAs[Heartbeat],
	TypeHeartbeatAck:       decodeAs[HeartbeatAck],
	TypeUserText:           decodeAs[UserText],
	TypeAssistantDelta:     decodeAs[AssistantDelta],
	TypeTurnDone:           decodeAs[TurnDone],
	TypeReasoningDelta:     decodeAs[ReasoningDelta],
	TypeTurnCancel:         decodeAs[TurnCancel],
	TypeTurnCancelled:      decodeAs[TurnCancelled],
	TypeApprovalRequest:    decodeAs[ApprovalRequest],
	TypeApprovalDecision:   decodeAs[ApprovalDecision],
	TypeActivityEvent:      decodeAs[ActivityEvent],
	TypeTurnFailed:         decodeAs[TurnFailed],
	TypeHistoryText:        decodeAs[HistoryText],
	TypeApprovalAck:        decodeAs[ApprovalAck],
	TypeSettingsGet:        decodeAs[SettingsGet],
	TypeSettingsSet:        decodeAs[SettingsSet],
	TypeSettingsState:      decodeAs[SettingsState],
	TypeWorkspaceSet:       decodeAs[WorkspaceSet],
	TypeWorkspaceState:     decodeAs[WorkspaceState],
	TypeSessionListGet:     decodeAs[SessionListGet],
	TypeSessionEntry:       decodeAs[SessionEntry],
	TypeSessionListDone:    decodeAs[SessionListDone],
	TypeSessionSelect:      decodeAs[SessionSelect],
	TypeSessionState:       decodeAs[SessionState],
	TypeAccessSet:          decodeAs[AccessSet],
	TypeAccessState:        decodeAs[AccessState],
	TypeHistoryGet:         decodeAs[HistoryGet],
	TypeHistoryDone:        decodeAs[HistoryDone],
	TypeDashboardGet:       decodeAs[DashboardGet],
	TypeDashboardEntry:     decodeAs[DashboardEntry],
	TypeDashboardDone:      decodeAs[DashboardDone],
	TypeActionGet:          decodeAs[ActionGet],
	TypeActionText:         decodeAs[ActionText],
	TypeDiffGet:            decodeAs[DiffGet],
	TypeDiffLine:           decodeAs[DiffLine],
	TypeDiffDone:           decodeAs[DiffDone],
	TypeApprovalDetailGet:  decodeAs[ApprovalDetailGet],
	TypeApprovalDetailLine: decodeAs[ApprovalDetailLine],
	TypeApprovalDetailDone: decodeAs[ApprovalDetailDone],
	TypeWorkspaceListGet:   decodeAs[WorkspaceListGet],
	TypeWorkspaceEntry:     decodeAs[WorkspaceEntry],
	TypeWorkspaceListDone:  decodeAs[WorkspaceListDone],
	TypePair:               decodeAs[Pair],
	TypePairState:          decodeAs[PairState],
	TypeError:              decodeAs[Error],
}

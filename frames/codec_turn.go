package frames

// Type is TypeApprovalRequest.
func (ApprovalRequest) Type() Type { return TypeApprovalRequest }

// AppendTo appends the frame to dst; a summary over MaxSummary is cut.
func (m ApprovalRequest) AppendTo(dst []byte) []byte {
	dst, at := begin(dst, TypeApprovalRequest, 0)
	dst = append(appendU16(dst, m.Seq), byte(m.Kind))
	return end(appendText(dst, m.Summary, MaxSummary, false), at)
}

// Decode reads f.
func (m *ApprovalRequest) Decode(f Frame) error {
	if err := check(f, TypeApprovalRequest); err != nil {
		return err
	}
	kind, summary := f.Payload[2], f.Payload[3:]
	if kind > byte(KindFile) {
		return outOfRange(f.Type, " KIND", kind)
	}
	if err := checkText(f.Type, summary, false); err != nil {
		return err
	}
	*m = ApprovalRequest{u16(f.Payload), ApprovalKind(kind), summary}
	return nil
}

// Type is TypeApprovalDecision.
func (ApprovalDecision) Type() Type { return TypeApprovalDecision }

// AppendTo appends the frame to dst.
func (m ApprovalDecision) AppendTo(dst []byte) []byte {
	dst, at := begin(dst, TypeApprovalDecision, 0)
	dst = append(dst, byte(m.Decision))
	if m.Named {
		dst = appendU16(dst, m.Request)
	}
	return end(dst, at)
}

// Decode reads f.
func (m *ApprovalDecision) Decode(f Frame) error {
	if err := check(f, TypeApprovalDecision); err != nil {
		return err
	}
	if f.Payload[0] > byte(CancelTurn) {
		return outOfRange(f.Type, " DECISION", f.Payload[0])
	}
	*m = ApprovalDecision{Decision: Decision(f.Payload[0])}
	if len(f.Payload) > 1 {
		m.Named, m.Request = true, u16(f.Payload[1:])
	}
	return nil
}

// Type is TypeActivityEvent.
func (ActivityEvent) Type() Type { return TypeActivityEvent }

// AppendTo appends the frame to dst; a label over MaxLabel is cut.
func (m ActivityEvent) AppendTo(dst []byte) []byte {
	dst, at := begin(dst, TypeActivityEvent, 0)
	dst = append(appendU16(dst, m.Seq), byte(m.Lifecycle))
	return end(appendText(dst, m.Label, MaxLabel, false), at)
}

// Decode reads f.
func (m *ActivityEvent) Decode(f Frame) error {
	if err := check(f, TypeActivityEvent); err != nil {
		return err
	}
	var row ActivityRow
	if err := row.decode(f.Type, f.Payload[sequenceSize:]); err != nil {
		return err
	}
	*m = ActivityEvent{u16(f.Payload), row.Lifecycle, row.Label}
	return nil
}

// Type is TypeHistoryText.
func (HistoryText) Type() Type { return TypeHistoryText }

// AppendTo appends the frame to dst; text over MaxHistoryText is cut.
func (m HistoryText) AppendTo(dst []byte) []byte {
	dst, at := begin(dst, TypeHistoryText, flag(m.Start, FlagStart))
	return end(appendText(append(dst, byte(m.Speaker)), m.Text, MaxHistoryText, true), at)
}

// Decode reads f.
func (m *HistoryText) Decode(f Frame) error {
	if err := check(f, TypeHistoryText); err != nil {
		return err
	}
	if f.Payload[0] > byte(SpeakerAssistant) {
		return outOfRange(f.Type, " SPEAKER", f.Payload[0])
	}
	if err := checkText(f.Type, f.Payload[1:], true); err != nil {
		return err
	}
	*m = HistoryText{f.Flags&FlagStart != 0, Speaker(f.Payload[0]), f.Payload[1:]}
	return nil
}

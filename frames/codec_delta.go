package frames

// The messages that are a sequence and text.

// Type is TypeAssistantDelta.
func (AssistantDelta) Type() Type { return TypeAssistantDelta }

// AppendTo appends the frame to dst; text over MaxDeltaText is cut.
func (m AssistantDelta) AppendTo(dst []byte) []byte {
	return delta(dst, TypeAssistantDelta, m.Seq, m.Text, true)
}

// Decode reads f.
func (m *AssistantDelta) Decode(f Frame) error {
	return readDelta(f, TypeAssistantDelta, &m.Seq, &m.Text, true)
}

// Type is TypeReasoningDelta.
func (ReasoningDelta) Type() Type { return TypeReasoningDelta }

// AppendTo appends the frame to dst; text over MaxDeltaText is cut.
func (m ReasoningDelta) AppendTo(dst []byte) []byte {
	return delta(dst, TypeReasoningDelta, m.Seq, m.Text, true)
}

// Decode reads f.
func (m *ReasoningDelta) Decode(f Frame) error {
	return readDelta(f, TypeReasoningDelta, &m.Seq, &m.Text, true)
}

// Type is TypeTurnFailed.
func (TurnFailed) Type() Type { return TypeTurnFailed }

// AppendTo appends the frame to dst; text over MaxDeltaText is cut.
func (m TurnFailed) AppendTo(dst []byte) []byte {
	return delta(dst, TypeTurnFailed, m.Seq, m.Summary, false)
}

// Decode reads f.
func (m *TurnFailed) Decode(f Frame) error {
	return readDelta(f, TypeTurnFailed, &m.Seq, &m.Summary, false)
}

func delta(dst []byte, t Type, seq uint16, text []byte, newlines bool) []byte {
	dst, at := begin(dst, t, 0)
	return end(appendText(appendU16(dst, seq), text, MaxDeltaText, newlines), at)
}

func readDelta(f Frame, t Type, seq *uint16, text *[]byte, newlines bool) error {
	if err := check(f, t); err != nil {
		return err
	}
	if err := checkText(t, f.Payload[sequenceSize:], newlines); err != nil {
		return err
	}
	*seq, *text = u16(f.Payload), f.Payload[sequenceSize:]
	return nil
}

package frames

// The messages that are one sequence.

// Type is TypeTurnDone.
func (TurnDone) Type() Type { return TypeTurnDone }

// AppendTo appends the frame to dst.
func (m TurnDone) AppendTo(dst []byte) []byte { return word(dst, TypeTurnDone, m.Seq) }

// Decode reads f.
func (m *TurnDone) Decode(f Frame) error { return readWord(f, TypeTurnDone, &m.Seq) }

// Type is TypeTurnCancelled.
func (TurnCancelled) Type() Type { return TypeTurnCancelled }

// AppendTo appends the frame to dst.
func (m TurnCancelled) AppendTo(dst []byte) []byte { return word(dst, TypeTurnCancelled, m.Seq) }

// Decode reads f.
func (m *TurnCancelled) Decode(f Frame) error { return readWord(f, TypeTurnCancelled, &m.Seq) }

// Type is TypeApprovalAck.
func (ApprovalAck) Type() Type { return TypeApprovalAck }

// AppendTo appends the frame to dst.
func (m ApprovalAck) AppendTo(dst []byte) []byte { return word(dst, TypeApprovalAck, m.Seq) }

// Decode reads f.
func (m *ApprovalAck) Decode(f Frame) error { return readWord(f, TypeApprovalAck, &m.Seq) }

// Type is TypeApprovalDetailGet.
func (ApprovalDetailGet) Type() Type { return TypeApprovalDetailGet }

// AppendTo appends the frame to dst.
func (m ApprovalDetailGet) AppendTo(dst []byte) []byte {
	return word(dst, TypeApprovalDetailGet, m.Request)
}

// Decode reads f.
func (m *ApprovalDetailGet) Decode(f Frame) error {
	return readWord(f, TypeApprovalDetailGet, &m.Request)
}

func word(dst []byte, t Type, v uint16) []byte {
	return append(dst, byte(t), 0, 2, 0, byte(v), byte(v>>8))
}

func readWord(f Frame, t Type, v *uint16) error {
	if err := check(f, t); err != nil {
		return err
	}
	*v = u16(f.Payload)
	return nil
}

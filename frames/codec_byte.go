package frames

// The messages that are one byte, any value of which is right or is judged by
// the lease.

// Type is TypeSessionListDone.
func (SessionListDone) Type() Type { return TypeSessionListDone }

// AppendTo appends the frame to dst.
func (m SessionListDone) AppendTo(dst []byte) []byte {
	return single(dst, TypeSessionListDone, m.Count)
}

// Decode reads f.
func (m *SessionListDone) Decode(f Frame) error { return readSingle(f, TypeSessionListDone, &m.Count) }

// Type is TypeSessionSelect.
func (SessionSelect) Type() Type { return TypeSessionSelect }

// AppendTo appends the frame to dst.
func (m SessionSelect) AppendTo(dst []byte) []byte { return single(dst, TypeSessionSelect, m.Index) }

// Decode reads f.
func (m *SessionSelect) Decode(f Frame) error { return readSingle(f, TypeSessionSelect, &m.Index) }

// Type is TypeHistoryDone.
func (HistoryDone) Type() Type { return TypeHistoryDone }

// AppendTo appends the frame to dst.
func (m HistoryDone) AppendTo(dst []byte) []byte { return single(dst, TypeHistoryDone, m.Entries) }

// Decode reads f.
func (m *HistoryDone) Decode(f Frame) error { return readSingle(f, TypeHistoryDone, &m.Entries) }

// Type is TypeActionGet.
func (ActionGet) Type() Type { return TypeActionGet }

// AppendTo appends the frame to dst.
func (m ActionGet) AppendTo(dst []byte) []byte { return single(dst, TypeActionGet, m.Index) }

// Decode reads f.
func (m *ActionGet) Decode(f Frame) error { return readSingle(f, TypeActionGet, &m.Index) }

// Type is TypeDiffGet.
func (DiffGet) Type() Type { return TypeDiffGet }

// AppendTo appends the frame to dst.
func (m DiffGet) AppendTo(dst []byte) []byte { return single(dst, TypeDiffGet, m.Index) }

// Decode reads f.
func (m *DiffGet) Decode(f Frame) error { return readSingle(f, TypeDiffGet, &m.Index) }

// Type is TypeWorkspaceListDone.
func (WorkspaceListDone) Type() Type { return TypeWorkspaceListDone }

// AppendTo appends the frame to dst.
func (m WorkspaceListDone) AppendTo(dst []byte) []byte {
	return single(dst, TypeWorkspaceListDone, m.Count)
}

// Decode reads f.
func (m *WorkspaceListDone) Decode(f Frame) error {
	return readSingle(f, TypeWorkspaceListDone, &m.Count)
}

func single(dst []byte, t Type, v uint8) []byte { return append(dst, byte(t), 0, 1, 0, v) }

func readSingle(f Frame, t Type, v *uint8) error {
	if err := check(f, t); err != nil {
		return err
	}
	*v = f.Payload[0]
	return nil
}

package frames

// Type is TypeSettingsSet.
func (SettingsSet) Type() Type { return TypeSettingsSet }

// AppendTo appends the frame to dst.
func (m SettingsSet) AppendTo(dst []byte) []byte {
	dst, at := begin(dst, TypeSettingsSet, 0)
	dst = append(dst, byte(m.Reasoning))
	if m.HasDisplay {
		dst = append(dst, m.Display)
	}
	return end(dst, at)
}

// Decode reads f. Bits of the display byte that we do not know are dropped, as
// unknown flag bits are.
func (m *SettingsSet) Decode(f Frame) error {
	if err := check(f, TypeSettingsSet); err != nil {
		return err
	}
	if f.Payload[0] > byte(ReasoningDeveloper) {
		return outOfRange(f.Type, " REASONING", f.Payload[0])
	}
	*m = SettingsSet{Reasoning: Reasoning(f.Payload[0])}
	if len(f.Payload) > 1 {
		m.HasDisplay, m.Display = true, f.Payload[1]&DisplayPalette
	}
	return nil
}

// Type is TypeSettingsState.
func (SettingsState) Type() Type { return TypeSettingsState }

// AppendTo appends the frame to dst.
func (m SettingsState) AppendTo(dst []byte) []byte {
	dst, at := begin(dst, TypeSettingsState, 0)
	return end(append(dst, byte(m.Reasoning), m.Display), at)
}

// Decode reads f; unknown bits of the display byte are dropped.
func (m *SettingsState) Decode(f Frame) error {
	if err := check(f, TypeSettingsState); err != nil {
		return err
	}
	if f.Payload[0] > byte(ReasoningDeveloper) {
		return outOfRange(f.Type, " REASONING", f.Payload[0])
	}
	*m = SettingsState{Reasoning(f.Payload[0]), f.Payload[1] & DisplayPalette}
	return nil
}

// Type is TypeAccessSet.
func (AccessSet) Type() Type { return TypeAccessSet }

// AppendTo appends the frame to dst.
func (m AccessSet) AppendTo(dst []byte) []byte { return single(dst, TypeAccessSet, byte(m.Access)) }

// Decode reads f.
func (m *AccessSet) Decode(f Frame) error { return readAccess(f, TypeAccessSet, &m.Access) }

// Type is TypeAccessState.
func (AccessState) Type() Type { return TypeAccessState }

// AppendTo appends the frame to dst.
func (m AccessState) AppendTo(dst []byte) []byte {
	return single(dst, TypeAccessState, byte(m.Access))
}

// Decode reads f.
func (m *AccessState) Decode(f Frame) error { return readAccess(f, TypeAccessState, &m.Access) }

func readAccess(f Frame, t Type, access *Access) error {
	if err := check(f, t); err != nil {
		return err
	}
	if f.Payload[0] > byte(AccessAutoReview) {
		return outOfRange(t, "", f.Payload[0])
	}
	*access = Access(f.Payload[0])
	return nil
}

// Type is TypeSessionEntry.
func (SessionEntry) Type() Type { return TypeSessionEntry }

// AppendTo appends the frame to dst; a title over MaxEntryTitle is cut.
func (m SessionEntry) AppendTo(dst []byte) []byte {
	dst, at := begin(dst, TypeSessionEntry, 0)
	dst = append(dst, m.Index, flag(m.Current, 1))
	return end(appendText(dst, m.Title, MaxEntryTitle, false), at)
}

// Decode reads f.
func (m *SessionEntry) Decode(f Frame) error {
	if err := check(f, TypeSessionEntry); err != nil {
		return err
	}
	current, err := boolean(f.Type, " CURRENT", f.Payload[1])
	if err != nil {
		return err
	}
	if err := checkText(f.Type, f.Payload[2:], false); err != nil {
		return err
	}
	*m = SessionEntry{f.Payload[0], current, f.Payload[2:]}
	return nil
}

// Type is TypeSessionState.
func (SessionState) Type() Type { return TypeSessionState }

// AppendTo appends the frame to dst; a title over MaxSessionTitle is cut.
func (m SessionState) AppendTo(dst []byte) []byte {
	dst, at := begin(dst, TypeSessionState, 0)
	return end(appendText(append(dst, m.Index), m.Title, MaxSessionTitle, false), at)
}

// Decode reads f.
func (m *SessionState) Decode(f Frame) error {
	if err := check(f, TypeSessionState); err != nil {
		return err
	}
	if err := checkText(f.Type, f.Payload[1:], false); err != nil {
		return err
	}
	*m = SessionState{f.Payload[0], f.Payload[1:]}
	return nil
}

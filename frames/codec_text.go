package frames

// The messages that are nothing but text.

// Type is TypeUserText.
func (UserText) Type() Type { return TypeUserText }

// AppendTo appends the frame to dst; text over MaxPromptText is cut.
func (m UserText) AppendTo(dst []byte) []byte {
	return plain(dst, TypeUserText, m.Text, MaxPromptText, true)
}

// Decode reads f. A prompt without text is a value fault, not a framing one.
func (m *UserText) Decode(f Frame) error {
	if err := readPlain(f, TypeUserText, &m.Text, true); err != nil {
		return err
	}
	if len(m.Text) == 0 {
		return badValue(f.Type, f.Type.words()+" IS EMPTY")
	}
	return nil
}

// Type is TypeWorkspaceSet.
func (WorkspaceSet) Type() Type { return TypeWorkspaceSet }

// AppendTo appends the frame to dst; text over MaxPromptText is cut.
func (m WorkspaceSet) AppendTo(dst []byte) []byte {
	return plain(dst, TypeWorkspaceSet, m.Path, MaxPromptText, false)
}

// Decode reads f.
func (m *WorkspaceSet) Decode(f Frame) error { return readPlain(f, TypeWorkspaceSet, &m.Path, false) }

// Type is TypeWorkspaceState.
func (WorkspaceState) Type() Type { return TypeWorkspaceState }

// AppendTo appends the frame to dst; text over MaxErrorText is cut.
func (m WorkspaceState) AppendTo(dst []byte) []byte {
	return plain(dst, TypeWorkspaceState, m.Path, MaxErrorText, false)
}

// Decode reads f.
func (m *WorkspaceState) Decode(f Frame) error {
	return readPlain(f, TypeWorkspaceState, &m.Path, false)
}

// Type is TypeWorkspaceListGet.
func (WorkspaceListGet) Type() Type { return TypeWorkspaceListGet }

// AppendTo appends the frame to dst; text over MaxPromptText is cut.
func (m WorkspaceListGet) AppendTo(dst []byte) []byte {
	return plain(dst, TypeWorkspaceListGet, m.Path, MaxPromptText, false)
}

// Decode reads f.
func (m *WorkspaceListGet) Decode(f Frame) error {
	return readPlain(f, TypeWorkspaceListGet, &m.Path, false)
}

// Type is TypeActionText.
func (ActionText) Type() Type { return TypeActionText }

// AppendTo appends the frame to dst; text over MaxErrorText is cut.
func (m ActionText) AppendTo(dst []byte) []byte {
	return plain(dst, TypeActionText, m.Text, MaxErrorText, true)
}

// Decode reads f.
func (m *ActionText) Decode(f Frame) error { return readPlain(f, TypeActionText, &m.Text, true) }

// Type is TypeError.
func (Error) Type() Type { return TypeError }

// AppendTo appends the frame to dst; text over MaxErrorText is cut.
func (m Error) AppendTo(dst []byte) []byte {
	return plain(dst, TypeError, m.Text, MaxErrorText, false)
}

// Decode reads f.
func (m *Error) Decode(f Frame) error { return readPlain(f, TypeError, &m.Text, false) }

func plain(dst []byte, t Type, text []byte, limit int, newlines bool) []byte {
	dst, at := begin(dst, t, 0)
	return end(appendText(dst, text, limit, newlines), at)
}

func readPlain(f Frame, t Type, text *[]byte, newlines bool) error {
	if err := check(f, t); err != nil {
		return err
	}
	if err := checkText(t, f.Payload, newlines); err != nil {
		return err
	}
	*text = f.Payload
	return nil
}

package frames

// Type is TypeApprovalDetailLine.
func (ApprovalDetailLine) Type() Type { return TypeApprovalDetailLine }

// AppendTo appends the frame to dst; text over MaxDetailText is cut.
func (m ApprovalDetailLine) AppendTo(dst []byte) []byte {
	dst, at := begin(dst, TypeApprovalDetailLine, flag(m.Start, FlagStart))
	dst = append(appendU16(dst, m.Request), byte(m.Kind))
	return end(appendText(dst, m.Text, MaxDetailText, false), at)
}

// Decode reads f.
func (m *ApprovalDetailLine) Decode(f Frame) error {
	if err := check(f, TypeApprovalDetailLine); err != nil {
		return err
	}
	if err := checkLine(f.Type, f.Payload[2:]); err != nil {
		return err
	}
	*m = ApprovalDetailLine{
		Start: f.Flags&FlagStart != 0, Request: u16(f.Payload),
		Kind: LineKind(f.Payload[2]), Text: f.Payload[3:],
	}
	return nil
}

// Type is TypeApprovalDetailDone.
func (ApprovalDetailDone) Type() Type { return TypeApprovalDetailDone }

// AppendTo appends the frame to dst.
func (m ApprovalDetailDone) AppendTo(dst []byte) []byte {
	dst, at := begin(dst, TypeApprovalDetailDone, 0)
	return end(append(appendU16(dst, m.Request), m.Lines), at)
}

// Decode reads f.
func (m *ApprovalDetailDone) Decode(f Frame) error {
	if err := check(f, TypeApprovalDetailDone); err != nil {
		return err
	}
	*m = ApprovalDetailDone{u16(f.Payload), f.Payload[2]}
	return nil
}

// Type is TypeWorkspaceEntry.
func (WorkspaceEntry) Type() Type { return TypeWorkspaceEntry }

// AppendTo appends the frame to dst; a name over MaxEntryName is cut.
func (m WorkspaceEntry) AppendTo(dst []byte) []byte {
	dst, at := begin(dst, TypeWorkspaceEntry, flag(m.Git, FlagGit))
	return end(appendText(append(dst, m.Index), m.Name, MaxEntryName, false), at)
}

// Decode reads f.
func (m *WorkspaceEntry) Decode(f Frame) error {
	if err := check(f, TypeWorkspaceEntry); err != nil {
		return err
	}
	if err := checkText(f.Type, f.Payload[1:], false); err != nil {
		return err
	}
	*m = WorkspaceEntry{f.Flags&FlagGit != 0, f.Payload[0], f.Payload[1:]}
	return nil
}

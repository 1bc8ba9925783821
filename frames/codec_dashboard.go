package frames

// Type is TypeDashboardGet.
func (DashboardGet) Type() Type { return TypeDashboardGet }

// AppendTo appends the frame to dst.
func (m DashboardGet) AppendTo(dst []byte) []byte {
	return single(dst, TypeDashboardGet, byte(m.Tab))
}

// Decode reads f.
func (m *DashboardGet) Decode(f Frame) error {
	if err := check(f, TypeDashboardGet); err != nil {
		return err
	}
	return readTab(f, &m.Tab)
}

// Type is TypeDashboardEntry.
func (DashboardEntry) Type() Type { return TypeDashboardEntry }

// AppendTo appends the frame to dst; data over MaxRowData is cut. Data is taken
// as it is: the Row types and text that is already shaped make it.
func (m DashboardEntry) AppendTo(dst []byte) []byte {
	dst, at := begin(dst, TypeDashboardEntry, 0)
	dst = append(dst, byte(m.Tab), m.Row)
	return end(append(dst, m.Data[:min(len(m.Data), MaxRowData)]...), at)
}

// Decode reads f and judges the row's data by its tab.
func (m *DashboardEntry) Decode(f Frame) error {
	if err := check(f, TypeDashboardEntry); err != nil {
		return err
	}
	var tab Tab
	if err := readTab(f, &tab); err != nil {
		return err
	}
	if err := checkRow(tab, f.Payload[2:]); err != nil {
		return err
	}
	*m = DashboardEntry{tab, f.Payload[1], f.Payload[2:]}
	return nil
}

// Type is TypeDashboardDone.
func (DashboardDone) Type() Type { return TypeDashboardDone }

// AppendTo appends the frame to dst.
func (m DashboardDone) AppendTo(dst []byte) []byte {
	return append(dst, byte(TypeDashboardDone), 0, 2, 0, byte(m.Tab), m.Count)
}

// Decode reads f.
func (m *DashboardDone) Decode(f Frame) error {
	if err := check(f, TypeDashboardDone); err != nil {
		return err
	}
	if err := readTab(f, &m.Tab); err != nil {
		return err
	}
	m.Count = f.Payload[1]
	return nil
}

func readTab(f Frame, tab *Tab) error {
	if f.Payload[0] > byte(TabActions) {
		return outOfRange(f.Type, " TAB", f.Payload[0])
	}
	*tab = Tab(f.Payload[0])
	return nil
}

// Type is TypeDiffLine.
func (DiffLine) Type() Type { return TypeDiffLine }

// AppendTo appends the frame to dst; text over MaxLineText is cut.
func (m DiffLine) AppendTo(dst []byte) []byte {
	dst, at := begin(dst, TypeDiffLine, flag(m.Start, FlagStart))
	return end(appendText(append(dst, byte(m.Kind)), m.Text, MaxLineText, false), at)
}

// Decode reads f.
func (m *DiffLine) Decode(f Frame) error {
	if err := check(f, TypeDiffLine); err != nil {
		return err
	}
	if err := checkLine(f.Type, f.Payload); err != nil {
		return err
	}
	*m = DiffLine{f.Flags&FlagStart != 0, LineKind(f.Payload[0]), f.Payload[1:]}
	return nil
}

// checkLine judges a line: its kind, then its text.
func checkLine(t Type, line []byte) error {
	if line[0] > byte(LineMetadata) {
		return outOfRange(t, " KIND", line[0])
	}
	return checkText(t, line[1:], false)
}

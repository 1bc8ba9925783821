package display

// rowStart takes a rune before a row. A line that is no row ends the table.
func (m *markdown) rowStart(r rune) {
	t := &m.table
	switch {
	case r == ' ' || r == '\t':
		if len(m.pend) < maxPrefix {
			m.indent(r)
		}
	case r == '|':
		m.pend = m.pend[:0]
		t.cell, m.state = 0, bCellStart
	case t.bare && r != '\n' && r != '#' && r != '>' && r != '`' && r != '~':
		m.pend = m.pend[:0]
		t.cell, m.state = 0, bCellStart
		m.cellStart(r)
	default:
		m.endTable()
		m.state = bStart
		m.start(r)
	}
}

// endTable ends the table.
func (m *markdown) endTable() {
	m.showHead()
	m.table.open = false
}

// showHead shows the labels of a table that has no cells, so that its head is not
// lost.
func (m *markdown) showHead() {
	if m.table.rows > 0 || m.table.bare {
		return
	}
	m.table.rows++
	for i := range m.table.labels {
		if m.label(i) {
			m.out('\n')
		}
	}
}

// label shows the label of a cell with its colon, and reports whether there is one.
func (m *markdown) label(cell int) bool {
	if cell >= len(m.table.labels) || len(m.table.labels[cell]) == 0 {
		return false
	}
	m.show(m.table.labels[cell])
	m.out(':')
	return true
}

// cellStart takes a rune before the content of a cell.
func (m *markdown) cellStart(r rune) {
	t := &m.table
	switch r {
	case ' ', '\t':
		return
	case '\n':
		m.newLine()
		return
	case '|':
		if m.label(t.cell) {
			m.out('\n')
		}
		t.cell++
		t.rows++
		return
	}
	if m.label(t.cell) {
		m.out(' ')
	}
	t.rows++
	t.spaces = 0
	m.state = bCell
	m.in.flat, m.in.prev = true, '\n'
	m.cellText(r)
}

// cellText takes a rune of a cell.
func (m *markdown) cellText(r rune) {
	switch r {
	case ' ', '\t':
		m.table.spaces++
		return
	case '|', '\n':
		m.endCell()
		m.state = bCellStart
		if r == '\n' {
			m.newLine()
		}
		return
	}
	for ; m.table.spaces > 0; m.table.spaces-- {
		m.in.put(' ')
	}
	if r == '\\' {
		m.state = bCellEscape
		return
	}
	m.in.put(r)
}

// endCell ends a cell's line.
func (m *markdown) endCell() {
	m.in.finish()
	m.in.flat = false
	m.out('\n')
	m.table.cell++
	m.table.spaces = 0
}

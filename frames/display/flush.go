package display

// flush shows all that is held back. What the start of a line is gets decided
// from what there is of it; the text may go on with the rest of the line.
func (m *markdown) flush() {
	switch m.state {
	case bStart:
		m.in.finish()
		m.show(m.pend)
		m.pend = m.pend[:0]
	case bHash, bHead:
		m.asText()
	case bMarker:
		m.flushMarker()
	case bFence:
		if m.run < 3 {
			m.asText()
		} else {
			m.enterFence()
			m.pend, m.state = m.pend[:0], bInfo
		}
	case bText:
		m.showTail()
	case bFenceStart:
		if len(m.pend) > 0 {
			m.showCode(true)
			m.state = bCode
		}
	case bFenceEnd:
		m.flushFenceEnd()
	case bDelim:
		m.flushDelim()
	case bCellEscape:
		m.in.put('\\')
		m.state = bCell
	}
	if m.table.open {
		m.showHead()
	}
	m.in.finish()
}

// flushMarker decides on a line of marks. What follows a rule or the line under a
// heading goes on as a line of its own.
func (m *markdown) flushMarker() {
	switch m.lineKind() {
	case underline:
		m.block()
		m.pend, m.state = m.pend[:0], bLineEnd
	case thematic:
		m.showRule()
		m.pend, m.state, m.heading = m.pend[:0], bText, true
	default:
		m.asText()
	}
}

// lineEnd takes a rune after a line of marks that a flush decided on: more marks
// and the newline belong to it, anything else is text.
func (m *markdown) lineEnd(r rune) {
	switch r {
	case '\n':
		m.newLine()
	case ' ', '\t', m.mark, '|', ':', '-':
	default:
		m.asText()
		m.text(r)
	}
}

// flushFenceEnd decides on a line that may close the fence.
func (m *markdown) flushFenceEnd() {
	if m.run < m.fenceRun {
		m.showCode(true)
		m.state = bCode
		return
	}
	m.fence = 0
	m.pend, m.state = m.pend[:0], bLineEnd
}

// flushDelim decides on the line under a table's head.
func (m *markdown) flushDelim() {
	if m.underHead() {
		m.openTable()
		m.pend, m.state = m.pend[:0], bLineEnd
		return
	}
	under := append([]rune(nil), m.pend...)
	m.pend = m.pend[:0]
	if !m.table.bare {
		m.pend = append(m.pend, m.table.head...)
		m.asText()
		m.in.put('\n')
		m.newLine()
	}
	m.pend = append(m.pend, under...)
	m.asText()
}

package display

// number takes a rune in or after the number of a list item, whose digits are
// out already.
func (m *markdown) number(r rune) {
	switch {
	case m.state == bDigits && r >= '0' && r <= '9' && m.run < 9:
		m.run++
		m.in.put(r)
		return
	case m.state == bDigits && (r == '.' || r == ')'):
		m.in.put(r)
		m.state = bDot
		return
	case m.state == bDot && (r == ' ' || r == '\t'):
		m.block()
		m.out(r)
		m.item(m.col + m.run + 2)
		return
	}
	m.state = bText
	m.text(r)
}

// item enters the content of a list item, which begins at a column.
func (m *markdown) item(col int) {
	if len(m.lists) < maxLists {
		m.lists = append(m.lists, col)
	}
	m.pend = m.pend[:0]
	m.state, m.inner, m.col = bStart, true, col
}

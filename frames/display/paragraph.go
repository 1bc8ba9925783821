package display

// asText takes the undecided start of the line for a paragraph.
func (m *markdown) asText() {
	m.state, m.para = bText, true
	for _, r := range m.pend {
		m.in.put(r)
	}
	m.pend = m.pend[:0]
}

// text takes a rune of a paragraph or heading.
func (m *markdown) text(r rune) {
	switch {
	case !m.heading && r == '\n':
		m.in.put(r)
		m.para = true
		m.newLine()
	case !m.heading:
		m.in.put(r)
	case r == '\n':
		m.tail = m.tail[:0]
		m.block()
		m.out(r)
		m.newLine()
	case r == ' ' || r == '\t' || r == '#' && len(m.tail) > 0:
		m.tail = append(m.tail, r)
		if len(m.tail) > maxPrefix {
			m.showTail()
		}
	default:
		m.showTail()
		m.in.put(r)
	}
}

// showTail takes the end of a heading, so far, for text.
func (m *markdown) showTail() {
	for _, r := range m.tail {
		m.in.put(r)
	}
	m.tail = m.tail[:0]
}

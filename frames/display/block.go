package display

// start takes a rune before the first character of a line's content.
func (m *markdown) start(r rune) {
	switch r {
	case ' ', '\t':
		m.indent(r)
		if len(m.pend) > maxPrefix {
			m.asText()
		}
		return
	case '\n':
		m.enter()
		m.block()
		if m.quote > 0 {
			m.show(m.pend)
		}
		m.out(r)
		m.newLine()
		return
	}
	if r == '>' && m.col < m.base()+4 {
		m.block()
		m.pend = append(m.pend, r)
		m.quote++
		m.col = -1 // the space that belongs to the mark
		if len(m.pend) > maxPrefix {
			m.asText()
		}
		return
	}
	m.col = max(m.col, 0)
	m.begin(r)
}

// indent counts a space or tab.
func (m *markdown) indent(r rune) {
	m.pend = append(m.pend, r)
	if r == '\t' {
		m.col = max(m.col, 0)
		m.col += 4 - m.col%4
		return
	}
	m.col++
}

// base is the column where the content of the innermost open list begins.
func (m *markdown) base() int {
	if m.inner || len(m.lists) == 0 {
		return 0
	}
	return m.lists[len(m.lists)-1]
}

// enter compares the line's quote marks with those of the line before: another
// quote ends the lists and the paragraph.
func (m *markdown) enter() {
	if m.quote != m.depth {
		m.lists, m.para, m.depth = m.lists[:0], false, m.quote
	}
}

// begin takes the first character of a line's content and guesses its kind.
func (m *markdown) begin(r rune) {
	m.enter()
	for !m.inner && len(m.lists) > 0 && m.col < m.base() {
		m.lists = m.lists[:len(m.lists)-1]
	}
	m.prefix, m.mark, m.run = len(m.pend), r, 1
	if !m.inner && m.col >= m.base()+4 {
		m.deep(r)
		return
	}
	switch {
	case r == '#':
		m.state = bHash
	case r == '-' || r == '*' || r == '+' || r == '_' || r == '=':
		m.state = bMarker
	case r == '`' || r == '~':
		m.state = bFence
	case r >= '0' && r <= '9':
		m.asText()
		m.in.put(r)
		m.state = bDigits
		return
	case r == '|' && m.quote == 0 && !m.inner:
		m.state = bHead
	case r == ':' && m.bareTable():
		m.state = bDelim
	default:
		m.asText()
		m.in.put(r)
		return
	}
	m.pend = append(m.pend, r)
}

// deep takes the first character of a line that is indented by four columns or
// more: code, unless it goes on with a paragraph.
func (m *markdown) deep(r rune) {
	if m.para {
		m.asText()
		m.in.put(r)
		return
	}
	m.block()
	m.show(m.pend)
	m.pend = m.pend[:0]
	m.out(r)
	m.state = bCode
}

// hash takes a rune in or after the marks of a heading.
func (m *markdown) hash(r rune) {
	space := r == ' ' || r == '\t'
	switch {
	case m.state == bHeading && space:
		return
	case m.state == bHash && r == '#' && m.run < 6:
		m.run++
		m.pend = append(m.pend, r)
		return
	case m.state == bHash && !space && r != '\n':
		m.asText()
		m.text(r)
		return
	}
	if m.state == bHash {
		m.block()
		m.show(m.pend[:m.prefix])
		m.pend = m.pend[:0]
		m.state, m.heading = bHeading, true
	}
	switch {
	case space:
	case r == '#': // it may be the heading's closing mark already
		m.state, m.tail = bText, append(m.tail, r)
	default:
		m.state = bText
		m.text(r)
	}
}

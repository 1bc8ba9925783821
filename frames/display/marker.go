package display

// marker takes a rune in a run of one mark and spaces at the start of a line: a
// bullet, a rule, the line under a heading or a table's head, or text.
func (m *markdown) marker(r rune) {
	space := r == ' ' || r == '\t'
	marks := m.pend[m.prefix:]
	switch {
	case r == '\n':
		m.markerLine()
	case (r == m.mark || space) && len(m.pend) < maxPrefix:
		m.pend = append(m.pend, r)
	case bullet(m.mark) && len(marks) > 1 && marks[1] != m.mark:
		m.listItem(r)
	case m.mark == '-' && (r == '|' || r == ':') && m.bareTable():
		m.state = bDelim
		m.delimLine(r)
	default:
		m.asText()
		m.text(r)
	}
}

func bullet(r rune) bool { return r == '-' || r == '*' || r == '+' }

// listItem takes the run for a bullet, and r for what follows it.
func (m *markdown) listItem(r rune) {
	m.block()
	marks := m.pend[m.prefix:]
	spaces := 1
	for spaces < len(marks) && marks[spaces] != m.mark {
		spaces++
	}
	m.show(m.pend[:m.prefix+spaces])
	m.back = append(m.back, r)
	m.unread(marks[spaces:])
	if spaces > 5 {
		spaces = 2
	}
	m.item(m.col + spaces)
}

// markerLine ends a line that holds nothing but the run.
func (m *markdown) markerLine() {
	switch m.lineKind() {
	case underline:
		m.block()
		m.newLine()
	case thematic:
		m.showRule()
		m.out('\n')
		m.newLine()
	case emptyItem:
		m.block()
		m.show(m.pend)
		m.out('\n')
		m.newLine()
	default:
		m.asText()
		m.text('\n')
	}
}

// The kinds of a line of marks.
const (
	plainMarks uint8 = iota
	underline
	thematic
	emptyItem
)

// lineKind tells what the run is if nothing follows it on its line.
func (m *markdown) lineKind() uint8 {
	count, gap, spaced := 0, false, false
	for _, r := range m.pend[m.prefix:] {
		if r == m.mark {
			count++
			spaced = spaced || gap
		} else {
			gap = true
		}
	}
	under := m.para && !spaced && count >= 3 && !m.inner && len(m.lists) == 0 && m.quote == 0
	switch {
	case under && (m.mark == '=' || m.mark == '-'):
		return underline
	case count >= 3 && (m.mark == '-' || m.mark == '*' || m.mark == '_'):
		return thematic
	case count == 1 && bullet(m.mark):
		return emptyItem
	}
	return plainMarks
}

// showRule shows a thematic break.
func (m *markdown) showRule() {
	m.block()
	m.show(m.pend[:m.prefix])
	for _, r := range rule {
		m.out(r)
	}
}

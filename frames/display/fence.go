package display

// openFence takes a rune in a line that begins with a fence's marks. The rest of
// that line, the language, does not show; backticks in it mean that the line is
// text with a code span.
func (m *markdown) openFence(r rune) {
	info := len(m.pend) > m.prefix+m.run
	switch {
	case r == m.mark && !info && len(m.pend) < maxPrefix:
		m.run++
		m.pend = append(m.pend, r)
	case m.run < 3, r == '`' && m.mark == r, len(m.pend) > 2*maxPrefix:
		m.asText()
		m.text(r)
	case r == '\n':
		m.enterFence()
		m.newLine()
	default:
		m.pend = append(m.pend, r)
	}
}

// enterFence takes the line for the opening of a fence.
func (m *markdown) enterFence() {
	m.block()
	if m.inner {
		m.out('\n')
	}
	m.fence, m.fenceRun, m.fenceIndent, m.fenceQuote = m.mark, m.run, m.col, m.quote
}

// fenceStart takes a rune before the first character of a line in a fence.
func (m *markdown) fenceStart(r rune) {
	space := r == ' ' || r == '\t'
	if m.quote < m.fenceQuote {
		switch {
		case r == '>':
			m.quote++
			m.pend = append(m.pend, r)
			m.col, m.prefix = -1, len(m.pend)
		case space && len(m.pend) < maxPrefix:
			m.indent(r)
		default:
			m.fence, m.state = 0, bStart
			m.start(r)
		}
		return
	}
	switch {
	case space && m.col < 0:
		m.indent(r)
		m.prefix = len(m.pend)
	case space && len(m.pend) < maxPrefix:
		m.indent(r)
	case r == m.fence && m.col <= m.fenceIndent+3:
		m.run = 1
		m.pend = append(m.pend, r)
		m.state = bFenceEnd
	default:
		m.codeLine(r)
	}
}

// fenceEnd takes a rune of a line that begins with the fence's mark.
func (m *markdown) fenceEnd(r rune) {
	space := r == ' ' || r == '\t'
	marks := m.pend[len(m.pend)-1] == m.fence
	switch {
	case r == '\n' && m.run >= m.fenceRun:
		m.fence = 0
		m.newLine()
	case r == m.fence && marks && len(m.pend) < maxPrefix:
		m.run++
		m.pend = append(m.pend, r)
	case space && m.run >= m.fenceRun && len(m.pend) < maxPrefix:
		m.pend = append(m.pend, r)
	default:
		m.codeLine(r)
	}
}

// codeLine takes the line for code: it shows four columns in, without the
// indentation that the fence has. Nothing else in it changes.
func (m *markdown) codeLine(r rune) {
	m.showCode(r != '\n')
	m.out(r)
	if r == '\n' {
		m.newLine()
		return
	}
	m.state = bCode
}

// showCode shows the start of a line of code; more says that code follows.
func (m *markdown) showCode(more bool) {
	m.show(m.pend[:m.prefix])
	code := m.pend[m.prefix:]
	for i := 0; i < m.fenceIndent && len(code) > 0 && code[0] == ' '; i++ {
		code = code[1:]
	}
	if len(code) > 0 || more {
		m.show([]rune("    "))
	}
	m.show(code)
	m.pend = m.pend[:0]
}

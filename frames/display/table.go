package display

import "strings"

// tableState is what the block stage knows of a table.
type tableState struct {
	line, before []rune // source of this line and of the line before
	head         []rune // the line that may be a head
	refused      bool   // this line is not the one under a head
	bare         bool   // the head has no bar at its start, and is out already
	open         bool
	labels       [][]rune
	rows         int
	cell         int
	spaces       int // held back in a cell: they may be its end
}

// record remembers the source of a line: it may turn out to be a table's head.
func (t *tableState) record(r rune) {
	switch {
	case r == '\n':
		t.line, t.before = t.before[:0], t.line
	case len(t.line) <= maxHead:
		t.line = append(t.line, r)
	}
}

// bareTable reports whether this line may stand under the head of a table that
// has no bar at the start of its lines.
func (m *markdown) bareTable() bool {
	t := &m.table
	if !m.para || m.quote > 0 || m.inner || t.refused || len(t.before) > maxHead || len(cells(t.before)) < 2 {
		return false
	}
	t.head, t.bare = append(t.head[:0], t.before...), true
	return true
}

// tableStep takes a rune of a table, or of what may be one.
func (m *markdown) tableStep(r rune) {
	switch m.state {
	case bHead:
		m.headLine(r)
	case bDelim:
		m.delimLine(r)
	case bRow:
		m.rowStart(r)
	case bCellStart:
		m.cellStart(r)
	case bCellEscape:
		m.state = bCell
		if r == '|' {
			m.in.put(r)
			return
		}
		m.in.put('\\')
		m.cellText(r)
	default:
		m.cellText(r)
	}
}

// headLine takes a rune of a line that begins with a bar.
func (m *markdown) headLine(r rune) {
	if r == '\n' {
		m.table.head, m.table.bare = append(m.table.head[:0], m.pend...), false
		m.newLine()
		m.state = bDelim
		return
	}
	m.pend = append(m.pend, r)
	if len(m.pend) > maxHead {
		m.asText()
	}
}

// delimLine takes a rune of the line under a head.
func (m *markdown) delimLine(r rune) {
	switch {
	case r == '\n' && m.underHead():
		m.openTable()
		m.newLine()
	case r != '\n' && strings.ContainsRune("|-: \t", r) && len(m.pend) < maxHead:
		m.pend = append(m.pend, r)
	default:
		m.back = append(m.back, r)
		m.noTable()
	}
}

// underHead reports whether the line is one that makes the line above a head.
func (m *markdown) underHead() bool {
	under := cells(m.pend)
	if len(under) != len(cells(m.table.head)) {
		return false
	}
	for _, c := range under {
		dashes := strings.TrimSuffix(strings.TrimPrefix(string(c), ":"), ":")
		if dashes == "" || strings.Trim(dashes, "-") != "" {
			return false
		}
	}
	return true
}

// noTable takes the head for text, and reads the line under it again.
func (m *markdown) noTable() {
	m.unread(m.pend)
	m.pend = m.pend[:0]
	if !m.table.bare {
		m.pend = append(m.pend, m.table.head...)
		m.asText()
		m.in.put('\n')
	}
	m.newLine()
	m.table.refused = true
}

// openTable makes labels of the head.
func (m *markdown) openTable() {
	m.block()
	t := &m.table
	t.open, t.rows, t.labels = true, 0, nil
	for _, c := range cells(t.head) {
		var label []rune
		in := inline{emit: func(r rune) { label = append(label, r) }, flat: true}
		for _, r := range c {
			in.put(r)
		}
		in.finish()
		t.labels = append(t.labels, label)
	}
}

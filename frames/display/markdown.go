package display

// blockState is where the block stage stands in a line.
type blockState uint8

const (
	bStart      blockState = iota // before the first character, or after a list mark
	bHash                         // in the # marks of a heading
	bHeading                      // after them
	bMarker                       // in a run of - * + _ = and spaces
	bDigits                       // in the number of a list item
	bDot                          // after the number and its mark
	bFence                        // in a line that opens a code fence
	bText                         // in a paragraph or heading
	bCode                         // in a line of code
	bFenceStart                   // before the first character of a line in a fence
	bFenceEnd                     // in what may be the end of the fence
	bInfo                         // the rest of the line does not show
	bLineEnd                      // what is left of a line of marks
	bHead                         // in what may be the head of a table
	bDelim                        // in the line under it
	bRow                          // before a row of a table
	bCellStart                    // before a cell
	bCell                         // in a cell
	bCellEscape                   // after a backslash in a cell
)

// Bounds of what the block stage holds back of a line, in runes.
const (
	maxPrefix = 128  // indentation and marks
	maxHead   = 1024 // the head of a table
	maxLists  = 16   // nested lists
)

// rule stands for a thematic break.
const rule = "----------"

// markdown simplifies Markdown: it finds out what a line is from its first
// characters, drops or keeps the marks there, and leaves the rest of the line to
// the inline stage, or shows it as it is if it is code.
type markdown struct {
	out   func(rune)
	in    inline
	state blockState
	pend  []rune // the undecided start of the line
	back  []rune // runes to read again, the next one last

	col    int  // source column, inside of quotes
	quote  int  // quote marks of this line
	prefix int  // length of pend before the mark
	inner  bool // a list mark stands before on this line
	mark   rune
	run    int

	para  bool  // the line before was a paragraph's
	depth int   // the quote marks of the line before
	lists []int // where the content of the open lists begins

	heading bool
	tail    []rune // spaces and # that may close the heading

	fence       rune // the mark of the open fence, or 0
	fenceRun    int
	fenceIndent int
	fenceQuote  int

	table tableState
}

// reset starts a new text.
func (m *markdown) reset(out func(rune)) {
	*m = markdown{
		out: out, pend: m.pend[:0], back: m.back[:0], lists: m.lists[:0], tail: m.tail[:0],
		in: inline{
			emit: out, nodes: m.in.nodes[:0], runes: m.in.runes[:0], pend: m.in.pend[:0], back: m.in.back[:0],
		},
		table: tableState{line: m.table.line[:0], before: m.table.before[:0], head: m.table.head[:0]},
	}
}

// put takes a rune of the source.
func (m *markdown) put(r rune) {
	m.table.record(r)
	if m.state == bText && r != '\n' && !m.heading {
		m.in.put(r)
		return
	}
	m.step(r)
	for n := len(m.back); n > 0; n = len(m.back) {
		r := m.back[n-1]
		m.back = m.back[:n-1]
		m.step(r)
	}
}

// unread puts runes back, to be read next.
func (m *markdown) unread(runes []rune) {
	for i := len(runes) - 1; i >= 0; i-- {
		m.back = append(m.back, runes[i])
	}
}

func (m *markdown) step(r rune) {
	switch m.state {
	case bStart:
		m.start(r)
	case bHash, bHeading:
		m.hash(r)
	case bMarker:
		m.marker(r)
	case bDigits, bDot:
		m.number(r)
	case bFence:
		m.openFence(r)
	case bText:
		m.text(r)
	case bCode:
		m.out(r)
		if r == '\n' {
			m.newLine()
		}
	case bFenceStart:
		m.fenceStart(r)
	case bFenceEnd:
		m.fenceEnd(r)
	case bInfo:
		if r == '\n' {
			m.newLine()
		}
	case bLineEnd:
		m.lineEnd(r)
	default:
		m.tableStep(r)
	}
}

// newLine goes to the start of a line.
func (m *markdown) newLine() {
	m.col, m.quote, m.prefix, m.inner, m.heading = 0, 0, 0, false, false
	m.table.refused = false
	m.pend = m.pend[:0]
	switch {
	case m.fence != 0:
		m.state = bFenceStart
	case m.table.open:
		m.state = bRow
	default:
		m.state = bStart
	}
}

// block ends the open paragraph, before something else begins.
func (m *markdown) block() {
	m.in.finish()
	m.in.prev = '\n'
	m.para = false
}

// show sends runes out as they are.
func (m *markdown) show(runes []rune) {
	for _, r := range runes {
		m.out(r)
	}
}

// held reports whether anything waits.
func (m *markdown) held() bool {
	return !m.in.idle() || len(m.pend) > 0 || len(m.tail) > 0 || m.state == bDelim || m.state == bCellEscape
}

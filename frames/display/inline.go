package display

import "unicode"

// Bounds of what the inline stage holds back, in runes. Markup that is longer is
// taken for plain characters.
const (
	maxHeld    = 240  // text behind an open mark, or in a code span
	maxAddress = 1024 // the address of a link
	maxDepth   = 32   // parentheses in an address
	maxRun     = 32   // equal marks in a row
	maxEntity  = 33
)

// inlineState is the construct that the inline stage is reading.
type inlineState uint8

const (
	inText   inlineState = iota
	inEscape             // after a backslash
	inBang               // after !
	inDelim              // in a run of * or _
	inTicks              // in the backticks that open a code span
	inCode               // in a code span
	inClose              // after a ] that has a [
	inDest               // in the address of a link
	inEntity             // in an HTML entity
	inAngle              // in <...>
)

// inline takes the marks out of a paragraph. Text goes out at once while no mark
// is open; behind an open mark it waits in nodes until the mark has found its
// partner or turns out to be text. Brackets bind tighter than emphasis, and code
// tighter than both, as in CommonMark.
type inline struct {
	emit  func(rune)
	flat  bool // a line break would leave the field: show a space
	state inlineState
	prev  rune // the source rune before this one
	nodes []node
	runes []rune // what the text nodes hold
	pend  []rune // the construct being read
	back  []rune // runes to read again, the next one last
	again bool   // the step put runes back
	run   int    // marks of the run being read, or of a code span's opening
	tick  int    // backticks in a row at the end of a code span
	mark  rune
	left  rune // the rune before the run
	dest  destination
}

// put takes a rune of the paragraph; a newline is a soft break.
func (in *inline) put(r rune) {
	in.step(r)
	for n := len(in.back); n > 0; n = len(in.back) {
		r := in.back[n-1]
		in.back = in.back[:n-1]
		in.step(r)
	}
}

func (in *inline) step(r rune) {
	if in.state == inText || !in.goesOn(r) {
		in.begin(r)
	}
	if !in.again {
		in.prev = r
	}
	in.again = false
}

// idle reports whether nothing is held back.
func (in *inline) idle() bool { return in.state == inText && len(in.nodes) == 0 }

// unread puts runes back, to be read next, after the rune before.
func (in *inline) unread(before rune, runes []rune) {
	in.prev, in.again = before, true
	for i := len(runes) - 1; i >= 0; i-- {
		in.back = append(in.back, runes[i])
	}
}

// begin takes a rune outside of any construct.
func (in *inline) begin(r rune) {
	in.pend = in.pend[:0]
	switch r {
	case '\\':
		in.state = inEscape
	case '!':
		in.state = inBang
	case '*', '_':
		in.state, in.mark, in.run, in.left = inDelim, r, 1, in.prev
	case '`':
		in.state, in.run = inTicks, 1
	case '[':
		in.bracket('[')
	case ']':
		if in.lastBracket() < 0 {
			in.text(r)
		} else {
			in.state = inClose
		}
	case '&':
		in.state = inEntity
		in.pend = append(in.pend, r)
	case '<':
		in.state = inAngle
		in.pend = append(in.pend, r)
	default:
		in.text(r)
	}
}

// goesOn takes a rune inside a construct. It reports false if the construct
// ended before r; the state is then inText.
func (in *inline) goesOn(r rune) bool {
	switch in.state {
	case inEscape:
		return in.escaped(r)
	case inBang:
		in.state = inText
		if r == '[' {
			in.bracket('!')
			return true
		}
		in.text('!')
		return false
	case inDelim:
		return in.delimited(r)
	case inTicks:
		return in.ticks(r)
	case inCode:
		return in.code(r)
	case inClose:
		return in.closed(r)
	case inDest:
		return in.address(r)
	case inEntity:
		return in.entity(r)
	default:
		return in.angle(r)
	}
}

// escaped takes the rune after a backslash: a mark is text, a newline breaks.
func (in *inline) escaped(r rune) bool {
	in.state = inText
	if r == '\n' || r < unicode.MaxASCII && (unicode.IsPunct(r) || unicode.IsSymbol(r)) {
		in.text(r)
		return true
	}
	in.text('\\')
	return false
}

// finish ends the paragraph: what is open is text.
func (in *inline) finish() {
	for in.state != inText {
		in.abandon()
		in.again = false
		for n := len(in.back); n > 0; n = len(in.back) {
			r := in.back[n-1]
			in.back = in.back[:n-1]
			in.step(r)
		}
	}
	in.force()
}

// abandon ends the construct being read.
func (in *inline) abandon() {
	state := in.state
	in.state = inText
	switch state {
	case inEscape:
		in.text('\\')
	case inBang:
		in.text('!')
	case inDelim:
		in.delim('\n')
	case inTicks:
		in.literal('`', in.run)
	case inCode:
		in.endCode()
	case inClose:
		in.noLink()
	case inDest:
		in.noAddress()
	case inEntity:
		in.plain(in.pend)
	case inAngle:
		in.noAngle()
	}
}

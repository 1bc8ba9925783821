package display

// Limits of escape sequences. A sequence that is longer is taken for a stray
// escape character, and the text after it shows again.
const (
	maxControl = 128  // runes of a CSI or nF sequence
	maxString  = 4096 // runes of an OSC, DCS, SOS, PM or APC string
)

// Control characters that mean something here.
const (
	runeBEL = 0x07
	runeCAN = 0x18
	runeSUB = 0x1A
	runeESC = 0x1B
	runeDEL = 0x7F
	c1DCS   = 0x90
	c1SOS   = 0x98
	c1CSI   = 0x9B
	c1ST    = 0x9C
	c1OSC   = 0x9D
	c1PM    = 0x9E
	c1APC   = 0x9F
)

// filterState is where the filter stands in an escape sequence.
type filterState uint8

const (
	ground    filterState = iota
	escape                // after ESC
	nF                    // after ESC and an intermediate
	csi                   // in a control sequence
	str                   // in a control string
	strEscape             // after ESC in a control string
)

// filter drops escape sequences and control characters, keeps tabs, and makes
// one newline of CR LF, of CR and of LF. It buffers nothing: an unterminated
// sequence costs a state and a count. A newline ends any sequence, so that a stray
// introducer hides at most a line.
type filter struct {
	state filterState
	bel   bool // the string may end with BEL
	count int
	cr    bool // a CR was turned into a newline: an LF now belongs to it
}

// put takes a rune; ok says whether out is text.
func (f *filter) put(r rune) (out rune, ok bool) {
	if f.state != ground && !f.sequence(r) {
		return 0, false
	}
	switch {
	case r >= ' ' && r < runeDEL, r > c1APC, r == '\t':
		f.cr = false
		return r, true
	case r == '\r':
		f.cr = true
		return '\n', true
	case r == '\n':
		if f.cr {
			f.cr = false
			return 0, false
		}
		return '\n', true
	}
	f.introduce(r)
	return 0, false
}

// introduce enters the sequence that a control character begins, if any.
func (f *filter) introduce(r rune) {
	f.count = 0
	switch r {
	case runeESC:
		f.state = escape
	case c1CSI:
		f.state = csi
	case c1OSC:
		f.state, f.bel = str, true
	case c1DCS, c1SOS, c1PM, c1APC:
		f.state, f.bel = str, false
	}
}

// sequence takes a rune inside a sequence. It reports true if the rune is not
// part of it; the state is then ground.
func (f *filter) sequence(r rune) bool {
	f.count++
	switch f.state {
	case escape:
		return f.escaped(r)
	case nF:
		if r >= 0x20 && r <= 0x2F && f.count < maxControl {
			return false
		}
		f.state = ground
		return r < 0x30 || r > 0x7E
	case csi:
		if r >= 0x20 && r <= 0x3F && f.count < maxControl {
			return false
		}
		f.state = ground
		return r < 0x40 || r > 0x7E
	case strEscape:
		if r == '\\' {
			f.state = ground
			return false
		}
		return f.escaped(r)
	}
	return f.inString(r)
}

// escaped takes the rune after ESC.
func (f *filter) escaped(r rune) bool {
	f.state = ground
	switch {
	case r == '[':
		f.introduce(c1CSI)
	case r == ']':
		f.introduce(c1OSC)
	case r == 'P' || r == 'X' || r == '^' || r == '_':
		f.introduce(c1DCS)
	case r >= 0x20 && r <= 0x2F:
		f.state = nF
	case r >= 0x30 && r <= 0x7E:
	default:
		return true
	}
	return false
}

// inString takes a rune of a control string.
func (f *filter) inString(r rune) bool {
	switch {
	case r == c1ST, r == runeCAN, r == runeSUB, r == runeBEL && f.bel:
		f.state = ground
	case r == runeESC:
		f.state = strEscape
	case r == '\n', r == '\r', f.count > maxString:
		f.state = ground
		return true
	}
	return false
}

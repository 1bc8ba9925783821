package stage

import (
	"strings"

	"github.com/prompt64/prompt64/c64prg"
	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/c64prg/machine/chargen"
)

// The program's transcript in RAM, see c64prg/src/memory.inc.
const (
	ringAt    = 0x6800
	ringLines = 204
	lineCols  = 40
)

// most is how many lines may be new between two looks.
const most = ringLines / 2

type line [lineCols]byte

// Paper keeps every line of the transcript, also those that the program has
// overwritten meanwhile. It finds the last line by what has changed, so that it
// needs no symbol of the program.
type Paper struct {
	m     *machine.Machine
	lines []line          // all that were ever written; the last ones are in RAM
	was   [ringLines]line // RAM at the look before
}

func newPaper(m *machine.Machine) *Paper {
	p := &Paper{m: m}
	for i := range p.was {
		p.was[i] = p.read(i)
	}
	return p
}

func (p *Paper) read(slot int) (l line) {
	for i := range l {
		l[i] = p.m.Peek(uint16(ringAt + slot*lineCols + i))
	}
	return l
}

// look takes over what is new; it must be called often.
func (p *Paper) look() {
	now := p.was
	changed := false
	for i := range now {
		now[i] = p.read(i)
		changed = changed || now[i] != p.was[i]
	}
	if !changed {
		return
	}
	last := len(p.lines)
	for k := range most {
		slot := (last + k) % ringLines
		if now[slot] != p.was[slot] {
			for n := len(p.lines); n <= last+k; n++ {
				p.lines = append(p.lines, line{})
			}
		}
	}
	for i := max(0, len(p.lines)-ringLines); i < len(p.lines); i++ {
		p.lines[i] = now[i%ringLines]
	}
	p.was = now
}

// Rows are the lines as text, without blanks at their ends; empty ones at the
// end are left out.
func (p *Paper) Rows() []string {
	rows := make([]string, 0, len(p.lines))
	for _, l := range p.lines {
		var b strings.Builder
		for _, code := range l {
			b.WriteRune(shown(code))
		}
		rows = append(rows, strings.TrimRight(b.String(), " "))
	}
	for len(rows) > 0 && rows[len(rows)-1] == "" {
		rows = rows[:len(rows)-1]
	}
	return rows
}

// Text is all rows as one text.
func (p *Paper) Text() string { return strings.Join(p.Rows(), "\n") }

// shown is what a screen code looks like.
func shown(code byte) rune {
	if r, _, ok := c64prg.Glyph(code); ok {
		return r
	}
	return chargen.Rune(chargen.Lower, code)
}

// Ink is a text without its blanks: where lines were broken does not show.
func Ink(text string) string { return strings.Join(strings.Fields(text), "") }

func contains(text, words string) bool { return strings.Contains(text, words) }

// Said is the text from the first prompt on: without what the program itself
// says when a session begins.
func (p *Paper) Said() string {
	rows := p.Rows()
	for i, r := range rows {
		if strings.HasPrefix(r, "> ") {
			return strings.Join(rows[i:], "\n")
		}
	}
	return ""
}

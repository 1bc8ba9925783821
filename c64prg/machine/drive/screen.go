package drive

import (
	"fmt"
	"strings"

	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/c64prg/machine/chargen"
)

// The text screen.
const (
	Columns = 40
	Rows    = 25
)

// Cell is one character on the screen.
type Cell struct {
	Rune    rune
	Colour  byte
	Reverse bool
	Code    byte
}

// Screen is what the text screen shows.
type Screen struct {
	Cells         [Rows][Columns]Cell
	Border, Paper byte
	Blank         bool
}

// Screen reads the screen.
func (d *Driver) Screen() *Screen {
	t := d.M.Text()
	s := &Screen{Border: t.Border, Paper: t.Paper, Blank: d.M.Blank()}
	names := d.nameGlyphs(&t)
	for i, code := range t.Codes {
		c := names[code]
		c.Code, c.Colour = code, t.Colours[i]
		s.Cells[i/Columns][i%Columns] = c
	}
	return s
}

// glyphIndex finds a glyph of the character ROM by its bits. The lower set
// comes first: where both draw alike, it is the one that the program uses.
var glyphIndex = func() map[[8]byte]Cell {
	rom := chargen.ROM()
	index := map[[8]byte]Cell{}
	for _, set := range []chargen.Set{chargen.Lower, chargen.Graphics} {
		for code := range 256 {
			at := int(set)*2048 + code*8
			bits := [8]byte(rom[at : at+8])
			if _, ok := index[bits]; !ok {
				index[bits] = Cell{Rune: chargen.Rune(set, byte(code)), Reverse: code >= 128}
			}
		}
	}
	return index
}()

// unknown is shown for a glyph that nobody knows.
const unknown = '\uFFFD'

// nameGlyphs says what each screen code shows: by its look, so that a test
// reads what a person would see; with the ROM's font by its code. Fonts rarely
// change: the last one's names are kept.
func (d *Driver) nameGlyphs(t *machine.Text) *[256]Cell {
	if d.named && d.lower == t.Lower && d.inRAM == t.RAMFont && d.font == t.Font {
		return &d.names
	}
	d.named, d.lower, d.inRAM, d.font = true, t.Lower, t.RAMFont, t.Font
	d.names = d.lookUp(t)
	return &d.names
}

func (d *Driver) lookUp(t *machine.Text) (names [256]Cell) {
	set := chargen.Graphics
	if t.Lower {
		set = chargen.Lower
	}
	for code := range names {
		if !t.RAMFont {
			names[code] = Cell{Rune: chargen.Rune(set, byte(code)), Reverse: code >= 128}
			continue
		}
		if d.cfg.Glyphs != nil {
			if r, rev, ok := d.cfg.Glyphs(byte(code)); ok {
				names[code] = Cell{Rune: r, Reverse: rev}
				continue
			}
		}
		c, ok := glyphIndex[[8]byte(t.Font[code*8:code*8+8])]
		if !ok {
			c = Cell{Rune: unknown}
		}
		names[code] = c
	}
	return names
}

// Line is one row as text, without blanks at its end.
func (s *Screen) Line(row int) string {
	var b strings.Builder
	for _, c := range s.Cells[row] {
		b.WriteRune(c.Rune)
	}
	return strings.TrimRight(b.String(), " ")
}

// Text is the whole screen, a line for each row.
func (s *Screen) Text() string {
	lines := make([]string, Rows)
	for i := range lines {
		lines[i] = s.Line(i)
	}
	return strings.Join(lines, "\n")
}

// Dump is the screen in a frame, for logs and errors.
func (d *Driver) Dump() string {
	s := d.Screen()
	var b strings.Builder
	edge := "+" + strings.Repeat("-", Columns) + "+\n"
	b.WriteString(edge)
	for i := range Rows {
		line := []rune(s.Line(i))
		fmt.Fprintf(&b, "|%s%s|\n", string(line), strings.Repeat(" ", Columns-len(line)))
	}
	b.WriteString(edge)
	fmt.Fprintf(&b, "border %d paper %d", s.Border, s.Paper)
	if s.Blank {
		b.WriteString(" (the screen is switched off)")
	}
	return b.String()
}

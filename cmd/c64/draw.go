package main

import (
	"github.com/gdamore/tcell/v2"
	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/c64prg/machine/drive"
)

// The border around the text, in terminal cells.
const (
	sideBorder = 3
	topBorder  = 1
)

func colour(n byte) tcell.Color {
	r, g, b, _ := machine.Palette[n&15].RGBA()
	return tcell.NewRGBColor(int32(r>>8), int32(g>>8), int32(b>>8))
}

// view is all that the terminal shows; what is shown is not drawn again.
type view struct {
	screen drive.Screen
	w, h   int
	help   bool
	note   string
}

// draw shows the C64's screen, centred, with as much border as there is room
// for.
func (t *session) draw() {
	s := t.d.Screen()
	w, h := t.screen.Size()
	now := view{*s, w, h, t.help, t.note}
	if t.shown != nil && *t.shown == now {
		return
	}
	t.shown = &now
	bx := clamp((w-drive.Columns)/2, 0, sideBorder)
	by := clamp((h-1-drive.Rows)/2, 0, topBorder)
	x0 := max((w-drive.Columns)/2, 0)
	y0 := by
	edge := tcell.StyleDefault.Background(colour(s.Border))
	t.screen.Clear()
	for y := y0 - by; y < y0+drive.Rows+by; y++ {
		for x := x0 - bx; x < x0+drive.Columns+bx; x++ {
			t.screen.SetContent(x, y, ' ', nil, edge)
		}
	}
	if !s.Blank {
		t.drawText(s, x0, y0, rowsThatFit(s, h))
	}
	if t.help {
		t.drawHelp(x0, y0)
	}
	note := t.note
	if w < drive.Columns && note == "" {
		note = "too narrow: 40 columns show all"
	}
	if note != "" {
		t.print(x0, noteRow(y0+drive.Rows+by, h), note, tcell.StyleDefault)
	}
	t.screen.Show()
}

// noteRow is the row beneath the picture, or the top one where there is none:
// the title is what a user misses least.
func noteRow(below, h int) int {
	if below < h {
		return below
	}
	return 0
}

// rowsThatFit are the rows of the screen that a terminal of h rows shows. The
// usual one has 24, and the last rows say which keys work: so empty rows are
// left out first, then lines between parts, then what is above.
func rowsThatFit(s *drive.Screen, h int) []int {
	rows := make([]int, drive.Rows)
	for y := range rows {
		rows[y] = y
	}
	for _, dull := range []func(y int) bool{
		func(y int) bool { return uniform(s, y, " ") },
		func(y int) bool { return uniform(s, y, "─") },
		func(int) bool { return true },
	} {
		for i := 1; i < len(rows) && len(rows) > max(h, 1); {
			if rows[i] < editorRow && dull(rows[i]) {
				rows = append(rows[:i], rows[i+1:]...)
				continue
			}
			i++
		}
	}
	return rows
}

// editorRow is where the rows begin that never are left out.
const editorRow = drive.Rows - 4

// uniform says whether a row is nothing but one character, not reversed.
func uniform(s *drive.Screen, y int, char string) bool {
	for _, c := range s.Cells[y] {
		if c.Reverse || string(c.Rune) != char {
			return false
		}
	}
	return true
}

func (t *session) drawText(s *drive.Screen, x0, y0 int, rows []int) {
	paper := colour(s.Paper)
	for y, row := range rows {
		for x, c := range s.Cells[row] {
			ink, back := colour(c.Colour), paper
			if c.Reverse {
				ink, back = back, ink
			}
			t.screen.SetContent(x0+x, y0+y, c.Rune, nil, tcell.StyleDefault.Foreground(ink).Background(back))
		}
	}
}

func (t *session) drawHelp(x0, y0 int) {
	style := tcell.StyleDefault.Foreground(colour(1)).Background(colour(6))
	const wide = 48
	left := max(x0+(drive.Columns-wide)/2, 0)
	for i := -1; i <= len(keyHelp); i++ {
		line := ""
		if i >= 0 && i < len(keyHelp) {
			line = keyHelp[i]
		}
		for x := range wide {
			t.screen.SetContent(left+x, y0+2+i, ' ', nil, style)
		}
		t.print(left+2, y0+2+i, line, style)
	}
}

func (t *session) print(x, y int, text string, style tcell.Style) {
	for i, r := range []rune(text) {
		t.screen.SetContent(x+i, y, r, nil, style)
	}
}

func clamp(v, lo, hi int) int { return max(lo, min(v, hi)) }

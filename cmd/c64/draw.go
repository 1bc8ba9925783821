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
		t.drawText(s, x0, y0)
	}
	if t.help {
		t.drawHelp(x0, y0)
	}
	if t.note != "" {
		t.print(x0, y0+drive.Rows+by, t.note, tcell.StyleDefault)
	}
	t.screen.Show()
}

func (t *session) drawText(s *drive.Screen, x0, y0 int) {
	paper := colour(s.Paper)
	for y := range s.Cells {
		for x, c := range s.Cells[y] {
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

package display

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// glyphs is the last stage: it makes bytes of runes. The first rune of a cluster
// decides how the cluster shows, so nothing waits for its end and a run of
// combining marks of any length costs no memory. The exception is a relation
// sign, which a stroke can still negate.
type glyphs struct {
	palette bool
	out     []byte
	col     int
	cluster []byte // the open cluster, shortened in the middle when long
	last    rune   // the open cluster if it is one ASCII character, else 0
	held    rune   // a relation sign that waits for a stroke, or 0
	scratch []byte
}

// put takes a rune; its bytes go to out.
func (g *glyphs) put(r rune) {
	if r >= ' ' && r < runeDEL {
		g.ascii(r)
		return
	}
	switch {
	case r == '\n' || r == '\u2028' || r == '\u2029':
		g.release()
		g.out = append(g.out, '\n')
		g.col, g.last, g.cluster = 0, '\n', g.cluster[:0]
	case r == '\t':
		for g.ascii(' '); g.col%4 != 0; {
			g.ascii(' ')
		}
	case r < ' ' || r >= runeDEL && r <= c1APC:
	default:
		g.unicode(r)
	}
}

// ascii takes a printable ASCII character, which always begins a cluster.
func (g *glyphs) ascii(r rune) {
	if g.held != 0 {
		g.release()
	}
	g.last = r
	if r >= '<' && r <= '>' {
		g.held = r
		return
	}
	g.out = append(g.out, byte(r))
	g.col++
}

// unicode takes any other character: as a whole if the tables know it, else
// taken apart by NFKC's decomposition.
func (g *glyphs) unicode(r rune) {
	if vanishes(r) && !joins(r) {
		return
	}
	if _, known := standIns[r]; known {
		g.part(r)
		return
	}
	g.scratch = utf8.AppendRune(g.scratch[:0], r)
	parts := norm.NFKD.Properties(g.scratch).Decomposition()
	if parts == nil { // Hangul syllables too, which are one cluster as they are
		g.part(r)
		return
	}
	for len(parts) > 0 {
		c, size := utf8.DecodeRune(parts)
		parts = parts[size:]
		if c >= ' ' && c < runeDEL {
			g.ascii(c)
		} else {
			g.part(c)
		}
	}
}

// show appends the token or the ASCII form of a character.
func (g *glyphs) show(r rune) {
	if r < utf8.RuneSelf {
		g.out = append(g.out, byte(r))
		g.col++
		return
	}
	if r >= firstBox && r <= lastBox {
		r = lightBoxes[r-firstBox]
	}
	if g.palette {
		if t, ok := tokens[lightCheck(r)]; ok {
			g.out = append(g.out, t)
			g.col++
			return
		}
	}
	text, ok := standIns[r]
	if !ok {
		text = "?"
	}
	g.text(text)
}

func (g *glyphs) text(s string) {
	g.out = append(g.out, s...)
	g.col += len(s)
}

// lightCheck brings the heavy check marks to the one that the palette has.
func lightCheck(r rune) rune {
	if r == '✔' || r == '✅' {
		return '✓'
	}
	return r
}

package display

import (
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"
)

// stroke is the combining long solidus: it negates the relation under it.
const stroke = '\u0338'

// maxCluster bounds what is remembered of a grapheme cluster, in bytes.
const maxCluster = 48

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

// part takes one rune of a decomposition.
func (g *glyphs) part(r rune) {
	if g.extends(r) {
		if r == stroke && g.held != 0 {
			g.negate()
		}
		return
	}
	g.release()
	switch {
	case vanishes(r):
	case negatable(r):
		g.held = r
	default:
		g.show(r)
	}
}

// extends reports whether r continues the open cluster, and remembers r.
func (g *glyphs) extends(r rune) bool {
	if g.last != 0 {
		g.cluster = utf8.AppendRune(g.cluster[:0], g.last)
		g.last = 0
	}
	before := len(g.cluster)
	g.cluster = utf8.AppendRune(g.cluster, r)
	first, _, _, _ := uniseg.FirstGraphemeCluster(g.cluster, -1)
	if before == 0 || len(first) < len(g.cluster) {
		g.cluster = utf8.AppendRune(g.cluster[:0], r)
		return false
	}
	if len(g.cluster) > maxCluster {
		_, size := utf8.DecodeRune(g.cluster)
		g.cluster = utf8.AppendRune(g.cluster[:size], r)
	}
	return true
}

// release shows the relation sign that waits, without a stroke.
func (g *glyphs) release() {
	if r := g.held; r != 0 {
		g.held = 0
		g.show(r)
	}
}

// negate shows the relation sign that waits, with its stroke.
func (g *glyphs) negate() {
	r := g.held
	g.held = 0
	composed := norm.NFC.String(string([]rune{r, stroke}))
	if c, size := utf8.DecodeRuneInString(composed); size == len(composed) {
		if text, ok := standIns[c]; ok {
			g.text(text)
			return
		}
	}
	g.text("!")
	g.show(r)
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

// negatable reports whether a stroke on r means "not".
func negatable(r rune) bool {
	switch r {
	case '<', '=', '>', '∼', '≃', '≅', '≈', '≡', '≤', '≥', '∈', '∣', '∥', '←', '→', '↔', '⇐', '⇒', '⇔':
		return true
	}
	return false
}

// joins reports whether an invisible character can be part of a cluster.
func joins(r rune) bool {
	return r == '\u200D' || r == '\u200C' || unicode.Is(unicode.Variation_Selector, r) || r >= 0xE0020 && r <= 0xE007F
}

// vanishes reports whether a character shows nothing anywhere: zero-width and
// bidirectional controls, soft hyphens, variation selectors, tags, fillers.
func vanishes(r rune) bool {
	if unicode.Is(unicode.Cf, r) {
		return !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
	}
	return unicode.Is(unicode.Variation_Selector, r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

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

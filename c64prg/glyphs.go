package c64prg

// glyphs are the screen codes that the program draws itself, from its font.s.
var glyphs = map[byte]rune{
	0xe0: '\\', 0xe1: '^', 0xe2: '_', 0xe3: '`', 0xe4: '{', 0xe5: '|', 0xe6: '}', 0xe7: '~',
	0xf1: '\u2193', 0xf2: '\u21b5',
}

// reversed is the distance from the program's own ASCII to its reversed form.
const reversed = 8

// Glyph tells what a screen code shows where the program's font is not the
// character ROM's; ok is false for all others, and for the cursor, whose glyph
// follows what is beneath it.
func Glyph(code byte) (r rune, reverse, ok bool) {
	if r, ok = glyphs[code]; ok {
		return r, false, true
	}
	if 0xe8 <= code && code <= 0xef {
		return glyphs[code-reversed], true, true
	}
	return 0, false, false
}

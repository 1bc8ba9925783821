package c64prg_test

import (
	"testing"

	"github.com/prompt64/prompt64/c64prg"
)

func TestEveryASCIIThatTheROMLacksHasAGlyphInBothForms(t *testing.T) {
	for i, want := range "\\^_`{|}~" {
		plain, reverse, ok := c64prg.Glyph(byte(0xe0 + i))
		if plain != want || reverse || !ok {
			t.Errorf("code %02X: %q %v %v, want %q", 0xe0+i, plain, reverse, ok, want)
		}
		plain, reverse, ok = c64prg.Glyph(byte(0xe8 + i))
		if plain != want || !reverse || !ok {
			t.Errorf("code %02X: %q %v %v, want %q reversed", 0xe8+i, plain, reverse, ok, want)
		}
	}
}

func TestGlyphLeavesTheROMsCodesAlone(t *testing.T) {
	for code := range 0xe0 {
		if r, _, ok := c64prg.Glyph(byte(code)); ok {
			t.Errorf("code %02X is the ROM's, but shows %q", code, r)
		}
	}
	if _, _, ok := c64prg.Glyph(0xf0); ok {
		t.Error("the cursor has a fixed glyph")
	}
}

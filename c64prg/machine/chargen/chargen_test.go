package chargen

import (
	"strings"
	"testing"
)

func glyph(rom *[4096]byte, set Set, code int) string {
	at := int(set)*2048 + code*8
	return string(rom[at : at+8])
}

func TestUpperHalfIsTheLowerHalfReversed(t *testing.T) {
	rom := ROM()
	for _, set := range []Set{Graphics, Lower} {
		for code := range 128 {
			plain, reverse := glyph(&rom, set, code), glyph(&rom, set, code+128)
			for i := range 8 {
				if plain[i] != ^reverse[i] {
					t.Fatalf("set %d, code %d is not reversed at %d", set, code, code+128)
				}
			}
		}
	}
}

func TestBothSetsShareDigitsAndSigns(t *testing.T) {
	rom := ROM()
	for code := 27; code < 64; code++ {
		if glyph(&rom, Lower, code) != glyph(&rom, Graphics, code) {
			t.Errorf("code %d differs", code)
		}
	}
	for i := 1; i <= 26; i++ {
		if glyph(&rom, Graphics, i) != glyph(&rom, Lower, 64+i) {
			t.Errorf("upper case letter %c differs", 'A'+i-1)
		}
	}
}

// TestEveryCodeShowsSomethingOfItsOwn: text can be told apart by its look.
func TestEveryCodeShowsSomethingOfItsOwn(t *testing.T) {
	rom := ROM()
	seen := map[string]int{}
	for code := range 96 {
		g := glyph(&rom, Lower, code)
		if other, dup := seen[g]; dup {
			t.Errorf("codes %d and %d look the same", other, code)
		}
		seen[g] = code
		if blank := g == "\x00\x00\x00\x00\x00\x00\x00\x00"; blank != (code == 32) {
			t.Errorf("code %d: blank is %v", code, blank)
		}
	}
}

func TestWhatTheROMLacksIsAbsent(t *testing.T) {
	for _, r := range "\\^_`{|}~" {
		for _, set := range []Set{Graphics, Lower} {
			if code, ok := Code(set, r); ok {
				t.Errorf("%q is at %d in set %d", r, code, set)
			}
		}
	}
}

func TestScreenCodesAreTheC64s(t *testing.T) {
	for text, want := range map[string][]byte{
		"@az[£]↑←": {0, 1, 26, 27, 28, 29, 30, 31},
		" 09?AZ":   {32, 48, 57, 63, 65, 90},
		"─│┼":      {64, 93, 91},
	} {
		for i, r := range []rune(text) {
			code, ok := Code(Lower, r)
			if !ok || code != want[i] {
				t.Errorf("%q is %d, want %d", r, code, want[i])
			}
			if back := Rune(Lower, code|0x80); back != r {
				t.Errorf("%d reads %q, want %q", code, back, r)
			}
		}
	}
	if len(lowerText) != 128 || len(graphicsText) != 128 {
		t.Errorf("%d and %d names", len(lowerText), len(graphicsText))
	}
}

func TestArtHasEveryGlyph(t *testing.T) {
	for name, art := range map[string]string{"graphics": graphicsArt, "lower": lowerArt} {
		if n := strings.Count(art, "\ncodes "); n != 16 {
			t.Errorf("%s.txt has %d bands, want 16", name, n)
		}
		for i, line := range strings.Split(art, "\n") {
			cells := strings.Fields(line)
			if len(cells) != 8 || strings.Trim(cells[0], "#.") != "" {
				continue
			}
			for _, c := range cells {
				if len(c) != 8 {
					t.Errorf("%s.txt line %d: cell %q is not 8 wide", name, i+1, c)
				}
			}
		}
	}
}

package display

import (
	"testing"
	"unicode/utf8"
)

func TestEveryStandInIsPrintableASCII(t *testing.T) {
	seen := make(map[rune]string)
	for _, s := range standInList {
		for _, c := range s.ascii {
			if c < ' ' || c >= runeDEL {
				t.Errorf("%q is not printable ASCII", s.ascii)
			}
		}
		for _, r := range s.runes {
			if r < utf8.RuneSelf || r == utf8.RuneError {
				t.Errorf("U+%04X needs no stand-in", r)
			}
			if other, ok := seen[r]; ok {
				t.Errorf("%c has the stand-ins %q and %q", r, other, s.ascii)
			}
			seen[r] = s.ascii
		}
	}
}

func TestEveryStandInIsReached(t *testing.T) {
	for r, want := range standIns {
		if r >= firstBox && r <= lastBox {
			continue // by way of its light form
		}
		if got := shape(string(r), false); got != want {
			t.Errorf("%c shows as %q, want %q", r, got, want)
		}
	}
}

// TestLatinLettersNeverShowAsMarks covers the blocks that the languages of
// western and central Europe are written with.
func TestLatinLettersNeverShowAsMarks(t *testing.T) {
	for r := rune(0xC0); r <= 0x17F; r++ {
		if got := shape(string(r), false); got == "?" || got == "" {
			t.Errorf("U+%04X %c shows as %q", r, r, got)
		}
	}
}

func TestASCIIIsNeverTouched(t *testing.T) {
	for c := rune(' '); c < runeDEL; c++ {
		for _, palette := range []bool{false, true} {
			if got := shape(string(c), palette); got != string(c) {
				t.Errorf("%q shows as %q", c, got)
			}
		}
	}
}

package display

import (
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestDecoderAgreesWithTheLanguage(t *testing.T) {
	bytes := rapid.SliceOf(rapid.SampledFrom([]byte{'a', 0x80, 0xBF, 0xC3, 0xA9, 0xE2, 0x82, 0xAC, 0xED, 0xA0, 0xF0, 0x9F, 0x98, 0x80, 0xF4, 0xFF}))
	rapid.Check(t, func(t *rapid.T) {
		source := bytes.Draw(t, "bytes")
		var got []rune
		var d decoder
		for _, b := range source {
			d.add(b, func(r rune) { got = append(got, r) })
			if d.n >= utf8.UTFMax {
				t.Fatalf("% X: %d bytes wait", source, d.n)
			}
		}
		d.finish(func(r rune) { got = append(got, r) })
		if want := []rune(string(source)); string(got) != string(want) {
			t.Fatalf("% X: got %q, want %q", source, got, want)
		}
	})
}

func TestDecoderHoldsOnlyWhatCanBecomeARune(t *testing.T) {
	for in, want := range map[string]int{
		"\xc3": 1, "\xe2\x82": 2, "\xf0\x9f\x98": 3, "\xf0\x9f\x98\x80": 0, "\xe2\xe2": 1, "\xff": 0, "\xc0": 0, "\xed\xa0": 0,
	} {
		var d decoder
		for _, b := range []byte(in) {
			d.add(b, func(rune) {})
		}
		if d.n != want {
			t.Errorf("% X: %d bytes wait, want %d", in, d.n, want)
		}
	}
}

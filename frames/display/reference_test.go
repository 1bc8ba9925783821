package display

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// TestOneMarkForEachCluster compares with the slow way: NFKC of the whole text,
// then its clusters.
func TestOneMarkForEachCluster(t *testing.T) {
	alphabet := []string{
		"日", "本", "한", "\u1112", "\u1161", "\u11ab", "ㅎ", "ㅏ", "😀", "👍", "🏽", "👩", "\u200d", "\ufe0f", "🇩", "🇪", "🇫", "ᄀ",
		"\u0301", "\u0338", "\u0489", "ｶ", "ﾞ", "か", "\u3099", "ก", "ำ", "क", "्", "ष", "Ж", "й", "❤", "㍿", "ﷺ",
	}
	rapid.Check(t, func(t *rapid.T) {
		text := "x" + strings.Join(rapid.SliceOf(rapid.SampledFrom(alphabet)).Draw(t, "text"), "")
		var want strings.Builder
		for rest, state := norm.NFKC.String(text), -1; rest != ""; {
			var cluster string
			cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
			if r, _ := utf8.DecodeRuneInString(cluster); r < utf8.RuneSelf {
				want.WriteRune(r)
			} else {
				want.WriteByte('?')
			}
		}
		if got := shape(text, false); got != want.String() {
			t.Fatalf("%+q\ngot  %q\nwant %q", text, got, want.String())
		}
	})
}

func TestPlainPaletteTextComesBack(t *testing.T) {
	var alphabet []rune
	for _, g := range palette {
		r, _ := utf8.DecodeRuneInString(g.runes)
		alphabet = append(alphabet, r)
	}
	alphabet = append(alphabet, []rune("abcXYZ 019[]@~\n")...)
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOf(rapid.SampledFrom(alphabet)).Draw(t, "text"))
		if got := Unshape([]byte(shape(text, true))); got != text {
			t.Fatalf("got %q, want %q", got, text)
		}
	})
}

package display

import (
	"bytes"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// fragments are pieces of text and markup that meet each other in any order.
var fragments = []string{
	"a", "word", "snake_case", " ", "  ", "    ", "\n", "\n\n", "\r\n", "\r", "\t", "*", "**", "***", "_", "__", "`", "``",
	"```", "```go\n", "\n```\n", "~~~", "#", "## ", " ##", "-", "- ", "---", "===", "+ ", "1", ".", "1. ", "12) ", ">", "> ",
	"|", "| a | b |\n", "|---|---|\n", "| c ", ":", ":-:", "[", "](", ")", "]", "![", "(", "<", ">", "<br>", "http://x.y/", "@",
	"&", "&amp;", "&#42;", ";", "\\", "!", "=", "\"", "'", "é", "e\u0301", "日", "한", "\u1100", "\u1161", "😀", "👨‍👩‍👧", "🇩", "🇪",
	"\u200d", "\u200b", "\ufe0f", "…", "—", "→", "≠", "─", "✓", "½", "\x1b", "[31m", "]0;t", "\x07", "\x1b\\", "\u009b", "\u0600",
	"\xff", "\xe2\x82", "\x00", "\x7f", "\u0301", "\u2028", "ﬁ", "\ufdfa",
}

// source draws a text; only fragments for which keep holds are in it.
func source(t *rapid.T, keep func(string) bool) string {
	var pick []string
	for _, f := range fragments {
		if keep(f) {
			pick = append(pick, f)
		}
	}
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pick), 0, 60).Draw(t, "source"), "")
}

func anyFragment(string) bool { return true }

// pieces draws a way to cut a text.
func pieces(t *rapid.T, text string) []string {
	var all []string
	for len(text) > 0 {
		n := min(rapid.SampledFrom([]int{1, 1, 2, 3, 5, 9, 30}).Draw(t, "piece"), len(text))
		all = append(all, text[:n])
		text = text[n:]
	}
	return all
}

func options(t *rapid.T) Options {
	return Options{Palette: rapid.Bool().Draw(t, "palette"), Markdown: rapid.Bool().Draw(t, "markdown")}
}

func TestTextIsTheSameForEverySplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, opts := source(t, anyFragment), options(t)
		whole := New(opts)
		want := whole.Flush(whole.Write(nil, text))
		split := New(opts)
		var got []byte
		for _, p := range pieces(t, text) {
			got = split.Write(got, p)
		}
		if got = split.Flush(got); !bytes.Equal(got, want) {
			t.Fatalf("source %q\nsplit %q\nwhole %q", text, got, want)
		}
	})
}

func TestSettleNeverChangesTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, opts := source(t, anyFragment), options(t)
		whole := New(opts)
		want := whole.Flush(whole.Write(nil, text))
		split := New(opts)
		var got []byte
		for _, p := range pieces(t, text) {
			got = split.Settle(split.Write(got, p))
		}
		if got = split.Flush(got); !bytes.Equal(got, want) {
			t.Fatalf("source %q\nsettled %q\nwhole   %q", text, got, want)
		}
	})
}

// unsafeByte finds a byte that may not be shown, or -1.
func unsafeByte(b []byte, palette bool) int {
	for i, c := range b {
		if c != '\n' && (c < ' ' || c == runeDEL || c >= token && !palette) {
			return i
		}
	}
	return -1
}

func TestEveryByteIsDisplaySafeWhateverTheFlushes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, opts := source(t, anyFragment), options(t)
		s := New(opts)
		var got []byte
		for _, p := range pieces(t, text) {
			got = s.Write(got, p)
			if rapid.Bool().Draw(t, "flush") {
				got = s.Flush(got)
				if s.Held() {
					t.Fatalf("source %q: held after Flush", text)
				}
			}
		}
		got = s.Flush(got)
		if i := unsafeByte(got, opts.Palette); i >= 0 {
			t.Fatalf("source %q: byte %02X at %d", text, got[i], i)
		}
	})
}

// TestFlushLosesNoLetter holds for the markup that keeps its text; addresses,
// the language of a fence and escape sequences are dropped on purpose.
func TestFlushLosesNoLetter(t *testing.T) {
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
				return r
			}
			return -1
		}, s)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := source(t, func(f string) bool { return !strings.ContainsAny(f, "`~(<&\x1b|") && f[0] < 0x80 })
		s := New(Options{Markdown: true})
		var got []byte
		for _, p := range pieces(t, text) {
			got = s.Write(got, p)
			if rapid.Bool().Draw(t, "flush") {
				got = s.Flush(got)
			}
		}
		if got, want := letters(string(s.Flush(got))), letters(text); got != want {
			t.Fatalf("source %q\ngot  %q\nwant %q", text, got, want)
		}
	})
}

func TestWordsNeverWait(t *testing.T) {
	words := rapid.SliceOf(rapid.StringMatching(`[a-zA-Z0-9,.;:'"?()/é日]{1,8} `))
	rapid.Check(t, func(t *rapid.T) {
		s := New(Options{Markdown: rapid.Bool().Draw(t, "markdown")})
		for _, word := range words.Draw(t, "words") {
			got := s.Write(nil, "x"+word)
			if want := shape("x"+word, false); string(got) != want || s.Held() {
				t.Fatalf("%q shows %q at once, want %q", word, got, want)
			}
		}
	})
}

func TestHoldingBackIsBounded(t *testing.T) {
	for _, f := range fragments {
		s := New(Options{Markdown: true})
		s.Write(nil, "x"+strings.Repeat(f, 3000))
		if n := len(s.Flush(nil)); n > 4*maxHead {
			t.Errorf("%q: %d bytes were held back", f, n)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := New(Options{Markdown: true})
		for range 10 {
			s.Write(nil, strings.Repeat(source(t, anyFragment), 20))
			m := &s.md
			n := cap(m.pend) + cap(m.back) + cap(m.tail) + cap(m.in.runes) + cap(m.in.pend) + cap(m.in.back) + cap(m.in.nodes) +
				cap(m.table.line) + cap(m.table.before) + cap(m.table.head) + cap(m.lists) + cap(s.glyphs.cluster) + cap(s.glyphs.scratch)
			if n > 32*maxHead {
				t.Fatalf("%d entries are kept", n)
			}
		}
	})
}

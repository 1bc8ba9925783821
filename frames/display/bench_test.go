package display

import (
	"strings"
	"testing"
)

// adversaries are repeated pieces that make a shaper read again as much as it can.
var adversaries = []string{
	"[", "[a](", "*a ", "*a_ ", "_a* ", "`a ", "`a ``b ```c ", "<a", "<a:", "&a", "a* b*", "[a* ", "]", "[]", "![", "[a]", "- ", "> ", "|\n", "| a |\n", "|a\n|-\n",
	"* * ", "```a`", "# ", "a | b\n- |\n", "\\", "*`[", "日", "\u0301", "\u200d\u0301", "👩\u200d", "\ufdfa", "\x1b[", "\x1b]a", "(", "[a](b(", "**a*", "__a_ ",
}

func BenchmarkAdversaries(b *testing.B) {
	for _, a := range adversaries {
		b.Run(strings.ToValidUTF8(strings.ReplaceAll(strings.ReplaceAll(a, "\n", "~"), "\x1b", "^"), "?"), func(b *testing.B) {
			text := strings.Repeat(a, 1+16384/len(a))
			s := New(Options{Markdown: true})
			var dst []byte
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				s.Reset()
				dst = s.Flush(s.Write(dst[:0], text))
			}
		})
	}
}

// prose is an answer as agents write them.
var prose = strings.Repeat("The handler never released the lease when `ReadFrame` returned `io.EOF`, "+
	"so a client that *vanished* kept its slot. I changed **two things**, see [the docs](https://go.dev/doc).\n\n", 90)

func BenchmarkShaper(b *testing.B) {
	for _, c := range []struct {
		name, text string
		opts       Options
	}{
		{"plain", strings.Repeat("plain words that are all ASCII, and nothing else. ", 300), Options{}},
		{"plain-markdown", strings.Repeat("plain words that are all ASCII, and nothing else. ", 300), Options{Markdown: true}},
		{"markdown", prose, Options{Markdown: true}},
		{"accents", strings.Repeat("déjà vu… “naïve” — ", 600), Options{Palette: true}},
		{"boxes", strings.Repeat("┌──┐│", 600), Options{Palette: true}},
		{"han", strings.Repeat("日本語", 600), Options{}},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := New(c.opts)
			var dst []byte
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				dst = s.Flush(s.Write(dst[:0], c.text))
			}
		})
	}
}

func TestShapingDoesNotAllocateOnceWarm(t *testing.T) {
	for name, text := range map[string]string{"markdown": prose, "unicode": strings.Repeat("déjà vu… 日本 👍🏽 ─", 50)} {
		s := New(Options{Markdown: true, Palette: true})
		dst := s.Flush(s.Write(nil, text))
		if n := testing.AllocsPerRun(20, func() { dst = s.Flush(s.Write(dst[:0], text)) }); n > 0 {
			t.Errorf("%s: %v allocations for %d bytes", name, n, len(text))
		}
	}
}

package display

import "unicode/utf8"

// Options chooses how text is shaped.
type Options struct {
	// Palette allows screen-code tokens.
	Palette bool
	// Markdown simplifies Markdown; without it marks are text.
	Markdown bool
}

// Shaper shapes one stream of text. It is not safe for concurrent use.
type Shaper struct {
	opts   Options
	dec    decoder
	filter filter
	md     markdown
	glyphs glyphs
	feed   func(rune) // the decoder's output
	show   func(rune) // the glyph stage's input
}

// New returns a Shaper at the start of a text.
func New(opts Options) *Shaper {
	s := &Shaper{opts: opts}
	s.feed, s.show = s.rune, s.glyphs.put
	s.Reset()
	return s
}

// Write appends to dst the bytes of text that are certain now, and holds back
// what the text after it can still change: an incomplete rune, an open escape
// sequence, open markup. However a text is split, the bytes are the same.
func (s *Shaper) Write(dst []byte, text string) []byte {
	s.glyphs.out = dst
	for i := 0; i < len(text); i++ {
		b := text[i]
		if b < utf8.RuneSelf && s.dec.n == 0 {
			s.rune(rune(b))
		} else {
			s.dec.add(b, s.feed)
		}
	}
	return s.take()
}

// Settle appends what waits only for an unlikely mark on it, and keeps what is
// really incomplete: a rune, an escape sequence, markup. It is for a timer, since
// it never makes the text depend on when it was called (but for a relation sign
// whose negating stroke comes later: it shows without the stroke).
func (s *Shaper) Settle(dst []byte) []byte {
	s.glyphs.out = dst
	s.glyphs.release()
	return s.take()
}

// Flush appends all that is held back, as if the text ended here: the bytes of
// an incomplete rune become `?`, marks without a partner show as typed. It is for
// a boundary: the end of the text, or something else that is shown next. The
// text may go on after it: an open escape sequence is still swallowed, a code
// fence is still open, a line goes on where it was.
func (s *Shaper) Flush(dst []byte) []byte {
	s.glyphs.out = dst
	s.dec.finish(s.feed)
	if s.opts.Markdown {
		s.md.flush()
	}
	s.glyphs.release()
	return s.take()
}

// Reset starts a new text; what was held back is dropped.
func (s *Shaper) Reset() {
	s.dec, s.filter = decoder{}, filter{}
	s.glyphs = glyphs{palette: s.opts.Palette, cluster: s.glyphs.cluster[:0], scratch: s.glyphs.scratch}
	s.md.reset(s.show)
}

// Held reports whether text waits for what follows it.
func (s *Shaper) Held() bool {
	return s.dec.n > 0 || s.glyphs.held != 0 || s.opts.Markdown && s.md.held()
}

// take returns the output and lets go of it.
func (s *Shaper) take() []byte {
	out := s.glyphs.out
	s.glyphs.out = nil
	return out
}

// rune takes a decoded rune through the stages.
func (s *Shaper) rune(r rune) {
	r, ok := s.filter.put(r)
	switch {
	case !ok:
	case s.opts.Markdown:
		s.md.put(r)
	default:
		s.glyphs.put(r)
	}
}

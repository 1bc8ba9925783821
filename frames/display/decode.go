package display

import "unicode/utf8"

// decoder puts runes together that arrive in pieces. Each byte that belongs to
// no rune becomes utf8.RuneError, which the glyph stage shows as `?`.
type decoder struct {
	buf [utf8.UTFMax]byte
	n   int
}

// add takes one byte of a rune that is not ASCII, or whatever follows such a
// byte, and hands each finished rune to emit.
func (d *decoder) add(b byte, emit func(rune)) {
	d.buf[d.n] = b
	d.n++
	for d.n > 0 && utf8.FullRune(d.buf[:d.n]) {
		r, size := utf8.DecodeRune(d.buf[:d.n])
		d.n = copy(d.buf[:], d.buf[size:d.n])
		emit(r)
	}
}

// finish gives up on an incomplete rune: each of its bytes becomes an error.
func (d *decoder) finish(emit func(rune)) {
	n := d.n
	d.n = 0
	for range n {
		emit(utf8.RuneError)
	}
}

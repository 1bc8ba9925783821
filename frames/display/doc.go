// Package display turns Unicode text, and the Markdown of agents, into bytes
// that a C64 shows: printable ASCII, screen-code tokens and newlines.
//
// It does not promise to keep Unicode: what has no glyph and no ASCII stand-in
// becomes one `?` for each grapheme cluster. It does not promise a full Markdown
// parser: marks are matched within a bounded window, and what is not matched in
// it stays as it was typed. It wraps no lines and knows no screen width.
//
// What holds for every input, split and flushed anyhow: only display-safe bytes
// and 0A come out, memory is bounded, and the text is the same for every split of
// the input, as long as Flush is not called in between. A plain word never waits;
// only an incomplete rune, an open piece of markup, or the start of a line whose
// kind is not yet known does.
//
// The stages, each fed rune by rune: decoder (UTF-8 across pieces), filter
// (escape sequences, control characters, line ends), markdown (optional: block,
// then inline), glyphs (NFKC, clusters, palette, stand-ins, tabs).
package display

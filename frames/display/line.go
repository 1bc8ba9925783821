package display

// Line shapes a text for a field of one line, such as a label, a title or an
// error: a run of newlines becomes one space, and none is left at the ends.
func Line(text string, opts Options) []byte {
	s := New(opts)
	b := s.Flush(s.Write(make([]byte, 0, len(text)), text))
	out := b[:0]
	broken := false
	for _, c := range b {
		if c == '\n' {
			broken = len(out) > 0
			continue
		}
		if broken {
			out = append(out, ' ')
			broken = false
		}
		out = append(out, c)
	}
	return out
}

// dots stand where a field was cut.
const dots = "..."

// FitHead returns b if it has at most n bytes, else its head and dots, n bytes in
// all. With n below 4 there is no room for text beside the dots: it cuts.
func FitHead(b []byte, n int) []byte {
	switch n = max(n, 0); {
	case len(b) <= n:
		return b
	case n <= len(dots):
		return b[:n:n]
	}
	out := make([]byte, 0, n)
	return append(append(out, b[:n-len(dots)]...), dots...)
}

// FitTail returns b if it has at most n bytes, else dots and its tail, n bytes in
// all. With n below 4 it cuts.
func FitTail(b []byte, n int) []byte {
	switch n = max(n, 0); {
	case len(b) <= n:
		return b
	case n <= len(dots):
		return b[len(b)-n:]
	}
	out := make([]byte, 0, n)
	return append(append(out, dots...), b[len(b)-n+len(dots):]...)
}

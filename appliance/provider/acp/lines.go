package acp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// Bounds on what an agent may send in one line. The SDK gives up at 10 MiB.
const (
	maxLine  = 8 << 20
	headLine = 4096 // of a longer one is kept, to tell what it was
)

// errLongLine is returned once for a line that is too long, with its beginning.
var errLongLine = errors.New("the line is too long")

// lineReader reads lines, and skips what is left of one that is too long.
type lineReader struct {
	r   *bufio.Reader
	buf []byte
}

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, 64*1024)}
}

// next returns a line without its end. It is good until the call after. A last
// line without an end counts.
func (l *lineReader) next() ([]byte, error) {
	if cap(l.buf) > 1<<20 { // one large line must not stay for ever
		l.buf = nil
	}
	l.buf = l.buf[:0]
	long := false
	for {
		piece, err := l.r.ReadSlice('\n')
		switch {
		case long:
		case len(l.buf)+len(piece) > maxLine:
			long = true
			l.buf = append(l.buf, piece...)[:headLine]
		default:
			l.buf = append(l.buf, piece...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && len(l.buf) == 0:
			return nil, err
		case long:
			return l.buf, errLongLine
		}
		return bytes.TrimSpace(l.buf), nil
	}
}

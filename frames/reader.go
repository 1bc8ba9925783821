package frames

import (
	"errors"
	"fmt"
	"io"
)

// maxEmptyReads bounds how often a reader may return nothing and no error.
const maxEmptyReads = 100

// Reader reads frames from a stream. It holds one buffer of one maximum frame and
// allocates nothing after that; it may read ahead within it. It judges a header
// before it waits for the payload, so a peer cannot make it wait for bytes that
// would be refused anyway. It is not safe for concurrent use.
type Reader struct {
	r          io.Reader
	d          Direction
	buf        []byte
	start, end int
	bad        error // a framing fault: the stream cannot be read on
}

// NewReader returns a Reader of the frames that travel in direction d.
func NewReader(r io.Reader, d Direction) *Reader {
	return &Reader{r: r, d: d, buf: make([]byte, HeaderSize+d.MaxPayload())}
}

// Next returns the next frame; its payload is good until the next call. The
// error is io.EOF at a frame's boundary, io.ErrUnexpectedEOF inside a frame, an
// ErrFraming for a fault of the peer (and the same again ever after), or the
// stream's own error, wrapped. After a time-out Next may be called again and
// goes on where it was.
func (r *Reader) Next() (Frame, error) {
	if r.bad != nil {
		return Frame{}, r.bad
	}
	if err := r.fill(HeaderSize); err != nil {
		return Frame{}, err
	}
	head := r.buf[r.start:]
	t, n := Type(head[0]), int(u16(head[2:]))
	if r.bad = checkHeader(r.d, t, n); r.bad != nil {
		return Frame{}, r.bad
	}
	if err := r.fill(HeaderSize + n); err != nil {
		return Frame{}, err
	}
	body := r.start + HeaderSize
	f := Frame{Type: t, Flags: r.buf[r.start+1], Payload: r.buf[body : body+n : body+n]}
	r.start += HeaderSize + n
	return f, nil
}

// fill reads until n bytes from start are in the buffer.
func (r *Reader) fill(n int) error {
	if r.start+n > len(r.buf) || r.start == r.end {
		r.end = copy(r.buf, r.buf[r.start:r.end])
		r.start = 0
	}
	for idle := 0; r.end-r.start < n; idle++ {
		got, err := r.r.Read(r.buf[r.end:])
		r.end += got
		if got > 0 {
			idle = 0
		}
		if r.end-r.start >= n {
			return nil // an error that came with the bytes comes again
		}
		if err != nil {
			return r.broken(err)
		}
		if idle >= maxEmptyReads {
			return r.broken(io.ErrNoProgress)
		}
	}
	return nil
}

func (r *Reader) broken(err error) error {
	if !errors.Is(err, io.EOF) {
		return fmt.Errorf("frames: read: %w", err)
	}
	if r.start == r.end {
		return io.EOF
	}
	return io.ErrUnexpectedEOF
}

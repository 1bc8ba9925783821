package codex

import (
	"bufio"
	"io"
)

// transport carries whole messages. read and write are called by one goroutine
// each; end and kill by any, and both make the other two return.
type transport interface {
	// read returns the next message; a *tooLongError if it was thrown away.
	read() ([]byte, error)
	write(msg []byte) error
	// end asks the other side to go and waits until it has, by force after a
	// while.
	end()
	// kill ends it at once.
	kill()
	// why says in words how the other side ended, once read has failed.
	why(readErr error) string
}

// streams is a transport of JSON lines over two streams.
type streams struct {
	r *bufio.Reader
	w io.WriteCloser
}

func newStreams(r io.Reader, w io.WriteCloser) streams {
	return streams{r: bufio.NewReaderSize(r, 64<<10), w: w}
}

func (s streams) read() ([]byte, error) { return readLine(s.r, maxMessage) }

func (s streams) write(msg []byte) error {
	_, err := s.w.Write(append(msg, '\n'))
	return err
}

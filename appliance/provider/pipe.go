package provider

import (
	"errors"
	"io"
	"os"
	"syscall"
	"time"
)

// pipeRoom is the most that a pipe holds (Linux, /proc/sys/fs/pipe-max-size).
const pipeRoom = 1 << 20

// Pipe reads the output of a process that may have ended: what was in the pipe at
// its read deadline is read still, and no more. An os.File alone would lose it
// where the reader was late, since it looks at the deadline first.
type Pipe struct {
	f    *os.File
	over bool // the deadline has passed
	left int  // bytes that may be read behind it
}

// NewPipe reads from the reading end of a pipe that os.Pipe made. Its read deadline
// is set once, by whoever sees the process end.
func NewPipe(f *os.File) *Pipe { return &Pipe{f: f, left: pipeRoom} }

// Read implements io.Reader, by one goroutine.
func (p *Pipe) Read(b []byte) (int, error) {
	if !p.over {
		n, err := p.f.Read(b)
		if n > 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
			return n, err
		}
		p.over = true
	}
	return p.rest(b)
}

// rest reads without waiting.
func (p *Pipe) rest(b []byte) (n int, err error) {
	b = b[:min(len(b), p.left)]
	if len(b) == 0 {
		return 0, os.ErrDeadlineExceeded
	}
	raw, err := p.f.SyscallConn()
	if err != nil {
		return 0, err
	}
	// The poller would refuse it behind the deadline.
	if err := p.f.SetReadDeadline(time.Time{}); err != nil {
		return 0, err
	}
	defer func() { _ = p.f.SetReadDeadline(time.Unix(1, 0)) }()
	var readErr error
	err = raw.Read(func(fd uintptr) bool {
		for {
			if n, readErr = syscall.Read(int(fd), b); !errors.Is(readErr, syscall.EINTR) {
				return true
			}
		}
	})
	switch {
	case err != nil:
		return 0, err
	case errors.Is(readErr, syscall.EAGAIN):
		return 0, os.ErrDeadlineExceeded // somebody holds the other end
	case readErr != nil:
		return 0, readErr
	case n == 0:
		return 0, io.EOF
	}
	p.left -= n
	return n, nil
}

package lease

import (
	"errors"

	"github.com/prompt64/prompt64/frames"
)

// message is anything that reaches a lease's goroutine from outside. One of the
// fields after att is set.
type message struct {
	att    *Attachment    // the connection that it is about; nil for do, info and look
	attach *attach        // att is the current attachment now
	req    frames.Message // a request
	fail   string         // a framing fault
	pull   *pull          // the writer wants a frame
	detach bool           // the transport is gone
	do     func()         // runs in the lease's goroutine: the end of something slow
	info   chan Info      // describes the lease; has room for one
	look   *look          // somebody reads along
}

// attach says how the lease is taken up.
type attach struct {
	fresh   bool
	applied uint16
}

// pull is a writer that waits for a frame.
type pull struct {
	dst   []byte
	reply chan pulled // has room for one
}

type pulled struct {
	frame []byte
	err   error
}

// refused is a request with a value out of range; words say which.
type refused struct{ words string }

// Type makes refused a frames.Message.
func (refused) Type() frames.Type { return frames.TypeError }

// AppendTo appends the refusal.
func (r refused) AppendTo(dst []byte) []byte { return errorFrame(dst, r.words) }

func errorFrame(dst []byte, words string) []byte {
	return frames.Error{Text: []byte(words)}.AppendTo(dst)
}

func isFraming(err error) bool { return errors.Is(err, frames.ErrFraming) }

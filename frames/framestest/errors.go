package framestest

import (
	"errors"

	"github.com/prompt64/prompt64/frames"
)

// Errors of a Client.
var (
	// ErrLinkLost means that the connection went before the answer came. Retry
	// repeats a request that failed so.
	ErrLinkLost = errors.New("framestest: link lost")
	// ErrClosed means that the Client was closed.
	ErrClosed = errors.New("framestest: client closed")
	// ErrBusy means that a turn runs, or a prompt waits, already.
	ErrBusy = errors.New("framestest: a turn runs already")
	// ErrNoTurn means that there is no turn to wait for or to cancel.
	ErrNoTurn = errors.New("framestest: no turn")
	// ErrNoLease means that there is no lease: Connect asks for one.
	ErrNoLease = errors.New("framestest: no lease")
	// ErrReleased means that the lease was given up, as the test asked.
	ErrReleased = errors.New("framestest: session released")
)

// Refused is an Error frame that answered a request.
type Refused struct{ Text string }

// Error gives the bridge's words.
func (r *Refused) Error() string { return "framestest: refused: " + r.Text }

// final reports whether the C64 program does not try to connect again after err.
func final(err error) bool {
	var r *Refused
	if !errors.As(err, &r) {
		return errors.Is(err, ErrNoLease) || errors.Is(err, ErrReleased) || errors.Is(err, ErrClosed)
	}
	switch r.Text {
	case frames.ErrorVersion, frames.ErrorNotPaired, frames.ErrorLeaseExpired:
		return true
	}
	return false
}

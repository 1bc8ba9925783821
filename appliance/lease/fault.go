package lease

import (
	"errors"

	"github.com/prompt64/prompt64/frames"
)

// Fault is a refusal whose text is meant for the C64: the bridge sends it as an
// Error frame and closes the connection.
type Fault struct {
	Text string // display-safe, at most 92 bytes
}

// Error makes Fault an error.
func (f *Fault) Error() string { return "lease: " + f.Text }

// Refusals of Get and Reconnect.
var (
	ErrExpired error = &Fault{frames.ErrorLeaseExpired}
	ErrInUse   error = &Fault{frames.ErrorLeaseInUse}
	ErrFull    error = &Fault{frames.ErrorBridgeFull}
)

// Errors that end the loop of Attachment.Next.
var (
	// ErrReleased follows the acknowledgement of a SessionRelease: shut the
	// connection down in an orderly way.
	ErrReleased = errors.New("lease: released")
	// ErrFault follows the Error frame of a framing fault: shut the
	// connection down so that the words arrive.
	ErrFault = errors.New("lease: framing fault")
	// ErrDetached says that the connection is no longer the lease's: it was
	// detached or taken over, or the table closed. Close it.
	ErrDetached = errors.New("lease: detached")
	// ErrPileUp says that the C64 asked for much and read little. Close it.
	ErrPileUp = errors.New("lease: control replies pile up")
)

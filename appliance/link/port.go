package link

import (
	"io"
)

// Port is an open serial port. Read blocks until there is a byte; it never
// returns zero bytes without an error, and the end of the adapter is an error.
// Close ends a Read and a Write in another goroutine, and loses what is not sent.
type Port interface {
	io.ReadWriteCloser
}

// queued is a Port that tells how many written bytes have not left yet, as a
// kernel does. While the C64 holds the line by RTS nothing is sent again then.
type queued interface {
	// Queued is how many bytes wait in front of the wire.
	Queued() (int, error)
}

// OpenFunc opens the port at a path.
type OpenFunc func(path string, baud int) (Port, error)

// Device is a serial port that the system lists.
type Device struct {
	Path   string
	Serial string // USB serial number; empty where there is none
}

// ListFunc lists the system's serial ports.
type ListFunc func() ([]Device, error)

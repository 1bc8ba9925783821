//go:build !linux

package link

import (
	"errors"

	"go.bug.st/serial"
)

// tty does nothing where there is no Linux: RTS/CTS stays off, and
// a write that the C64 holds ends when the port is closed, or not at all.
type tty struct{}

func openTTY(string) (tty, error) { return tty{}, nil }

func (tty) handshake() error { return nil }

func (tty) write(port serial.Port, b []byte) (int, error) { return port.Write(b) }

func (tty) queued() (int, error) { return 0, errors.ErrUnsupported }

func (tty) close() error { return nil }

//go:build !linux

package link

import "errors"

// tty does nothing where there is no Linux: RTS/CTS stays off.
type tty struct{}

func openTTY(string) (tty, error) { return tty{}, nil }

func (tty) handshake() error { return nil }

func (tty) queued() (int, error) { return 0, errors.ErrUnsupported }

func (tty) close() error { return nil }

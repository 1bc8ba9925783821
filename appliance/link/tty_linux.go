package link

import (
	"fmt"

	"go.bug.st/serial"
	"golang.org/x/sys/unix"
)

// tty is a second descriptor of a port, for what go.bug.st/serial does not do.
type tty struct{ fd int }

func openTTY(path string) (tty, error) {
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	return tty{fd}, advise(err)
}

// advise adds what to do.
func advise(err error) error {
	switch err {
	case unix.ENOENT, unix.ENODEV, unix.ENXIO:
		return fmt.Errorf("%w: plug the adapter in", err)
	case unix.EACCES:
		return fmt.Errorf("%w: let this user use serial ports, as by the group dialout", err)
	case unix.EBUSY:
		return fmt.Errorf("%w: end the program that uses it", err)
	}
	return err
}

// handshake switches RTS/CTS on.
func (t tty) handshake() error {
	settings, err := unix.IoctlGetTermios(t.fd, unix.TCGETS)
	if err != nil {
		return fmt.Errorf("read its settings: %w", err)
	}
	settings.Cflag |= unix.CRTSCTS
	if err := unix.IoctlSetTermios(t.fd, unix.TCSETS, settings); err != nil {
		return fmt.Errorf("switch RTS/CTS on: %w", err)
	}
	return nil
}

// write writes what there is room for, after a wait of no more than readSlice.
func (t tty) write(_ serial.Port, b []byte) (int, error) {
	n, err := unix.Write(t.fd, b)
	if err != unix.EAGAIN && err != unix.EINTR {
		return max(n, 0), err
	}
	_, err = unix.Poll([]unix.PollFd{{Fd: int32(t.fd), Events: unix.POLLOUT}}, int(readSlice.Milliseconds()))
	if err == unix.EINTR {
		err = nil
	}
	return 0, err
}

// queued is how many bytes the kernel holds in front of the wire.
func (t tty) queued() (int, error) { return unix.IoctlGetInt(t.fd, unix.TIOCOUTQ) }

func (t tty) close() error { return unix.Close(t.fd) }

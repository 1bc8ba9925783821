package linktest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/prompt64/prompt64/appliance/link"
)

// Pty is a pair of pseudo terminals: Path is a tty that the bridge opens as a
// serial port, and the Pty itself is the far end. Closing it is what pulling an
// adapter out is to a real one.
type Pty struct {
	Path string

	master *os.File
	once   sync.Once
}

var _ link.Port = (*Pty)(nil)

// OpenPty makes a pair.
func OpenPty() (*Pty, error) {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("linktest: open a pty: %w", err)
	}
	raw, err := master.SyscallConn()
	if err != nil {
		_ = master.Close()
		return nil, fmt.Errorf("linktest: open a pty: %w", err)
	}
	number := 0
	var fault error
	err = raw.Control(func(fd uintptr) {
		if fault = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0); fault == nil {
			number, fault = unix.IoctlGetInt(int(fd), unix.TIOCGPTN)
		}
	})
	if err == nil {
		err = fault
	}
	if err != nil {
		_ = master.Close()
		return nil, fmt.Errorf("linktest: unlock a pty: %w", err)
	}
	return &Pty{Path: fmt.Sprintf("/dev/pts/%d", number), master: master}, nil
}

// Read implements link.Port. As long as nobody has the tty open it waits.
func (p *Pty) Read(b []byte) (int, error) { return p.master.Read(b) }

// Write implements link.Port.
func (p *Pty) Write(b []byte) (int, error) { return p.master.Write(b) }

// Close implements link.Port.
func (p *Pty) Close() (err error) {
	p.once.Do(func() { err = p.master.Close() })
	return err
}

// Plug puts a new pair in the place of the adapter at a path, as whoever pulls that out
// and plugs another in: a C64's end takes its own with it.
func Plug(path string) (*Pty, error) {
	pty, err := OpenPty()
	if err != nil {
		return nil, err
	}
	if err = os.Remove(path); err == nil || errors.Is(err, fs.ErrNotExist) {
		err = os.Symlink(pty.Path, path)
	}
	if err != nil {
		return nil, errors.Join(err, pty.Close())
	}
	return pty, nil
}

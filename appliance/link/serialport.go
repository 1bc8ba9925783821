package link

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"go.bug.st/serial"
)

var errVanished = errors.New("link: the adapter is no longer listed")

// readSlice is how long one wait for bytes, or for room, takes; Close waits for
// it to end.
const readSlice = 100 * time.Millisecond

// serialPort wraps go.bug.st/serial, and what is to be known about it:
//
//   - A Read that times out gives (0, nil), on which io.ReadFull would spin
//     (bugst/go-serial#148). Read here waits on.
//   - An adapter that is pulled out shows as an error, or with some drivers as
//     nothing at all; the keeper looks for the latter.
//   - Close closes the descriptor before it wakes a Read, which may by then wait
//     on somebody else's file of the same number. Close here lets the Read go first.
//   - Write has no time-out (bugst/go-serial#33) and nothing ends it while the C64
//     holds the line: not every driver wakes it when the bytes are dropped (a pty's
//     does not). On Linux a second descriptor that does not block writes.
//   - Closing waits for bytes that cannot leave, half a minute in Linux
//     (closing_wait). Close here drops them first.
//   - It switches RTS/CTS off when it opens (serial_unix.go, nativeOpen); the
//     second descriptor switches it on again.
type serialPort struct {
	port    serial.Port
	tty     tty
	closing atomic.Bool
	using   sync.RWMutex // held for reading by Read and Write
}

var (
	_ Port   = (*serialPort)(nil)
	_ queued = (*serialPort)(nil)
)

// OpenSerial opens a serial port of the system: 8 data bits, no parity, 1 stop
// bit, RTS/CTS where the system can, and a USB adapter's latency timer at 1 ms.
func OpenSerial(path string, baud int) (Port, error) {
	// The tty is opened first: go.bug.st/serial takes exclusive access.
	t, err := openTTY(path)
	if err != nil {
		return nil, openFault(path, err)
	}
	port, err := serial.Open(path, &serial.Mode{BaudRate: baud, DataBits: 8, Parity: serial.NoParity, StopBits: serial.OneStopBit})
	if err != nil {
		_ = t.close()
		return nil, openFault(path, err)
	}
	if err := errors.Join(port.SetReadTimeout(readSlice), t.handshake()); err != nil {
		_ = port.Close()
		_ = t.close()
		return nil, fmt.Errorf("link: set %s up: %w", path, err)
	}
	_ = sysTTY.lowLatency(path) // not every driver has the timer
	_ = port.ResetInputBuffer()
	return &serialPort{port: port, tty: t}, nil
}

// openFault says what to do about a port that does not open.
func openFault(path string, err error) error {
	advice := ""
	var fault *serial.PortError
	if errors.As(err, &fault) {
		switch fault.Code() {
		case serial.PortBusy:
			advice = ": end the program that uses it"
		case serial.PermissionDenied:
			advice = ": let this user use serial ports, as by the group dialout"
		case serial.PortNotFound:
			advice = ": plug the adapter in"
		case serial.InvalidSerialPort:
			advice = ": it is no serial port"
		}
	}
	return fmt.Errorf("link: open %s: %w%s", path, err, advice)
}

// Read implements Port.
func (p *serialPort) Read(b []byte) (int, error) {
	p.using.RLock()
	defer p.using.RUnlock()
	for !p.closing.Load() {
		if n, err := p.port.Read(b); n > 0 || err != nil {
			return max(n, 0), err
		}
	}
	return 0, errPortClosed
}

var errPortClosed = errors.New("link: the serial port was closed")

// Write implements Port.
func (p *serialPort) Write(b []byte) (n int, err error) {
	p.using.RLock()
	defer p.using.RUnlock()
	for n < len(b) && err == nil {
		if p.closing.Load() {
			return n, errPortClosed
		}
		var k int
		if k, err = p.tty.write(p.port, b[n:]); k > 0 {
			n += k
		}
	}
	return n, err
}

// Queued implements queued.
func (p *serialPort) Queued() (int, error) { return p.tty.queued() }

// Close implements Port.
func (p *serialPort) Close() error {
	if p.closing.Swap(true) {
		return nil
	}
	_ = p.port.ResetOutputBuffer()
	p.using.Lock()
	defer p.using.Unlock()
	_ = p.port.ResetOutputBuffer()
	return errors.Join(p.port.Close(), p.tty.close())
}

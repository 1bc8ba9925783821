package link

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"sync"

	"github.com/prompt64/prompt64/appliance/guarded"
)

// Config says which line to listen on. Port is required.
type Config struct {
	Port string       // path of the serial port; where it need not be there yet
	Baud int          // one of Bauds; 0: DefaultBaud
	Log  *slog.Logger // nil: discarded

	Open OpenFunc // nil: the system's serial ports
	List ListFunc // nil: the system's list, which tells USB serial numbers
}

func (c *Config) fill() error {
	if c.Port == "" {
		return errors.New("link: no serial port is named: give a path such as /dev/ttyUSB0")
	}
	if c.Baud == 0 {
		c.Baud = DefaultBaud
	}
	if !slices.Contains(Bauds(), c.Baud) {
		return fmt.Errorf("link: %d is no speed of a serial line: use one of %v", c.Baud, Bauds())
	}
	c.fillParts()
	return nil
}

func (c *Config) fillParts() {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Open == nil {
		c.Open = OpenSerial
	}
	if c.List == nil {
		c.List = ListSerial
	}
}

// Listener is a serial line as a net.Listener. Its connections are *Conn.
type Listener struct {
	line   *line
	closed chan struct{}
	once   sync.Once
	done   chan struct{} // everything has ended
	fault  error         // of a goroutine, which closed it; read after closed
}

var _ net.Listener = (*Listener)(nil)

// Listen takes a serial line into use. The port need not be there: it is looked
// for until the listener is closed, and again when it is pulled out.
func Listen(cfg Config) (*Listener, error) {
	if err := cfg.fill(); err != nil {
		return nil, err
	}
	return listen(cfg, defaultTuning()), nil
}

func listen(cfg Config, tune tuning) *Listener {
	l := &Listener{line: newLine(cfg, tune), closed: make(chan struct{}), done: make(chan struct{})}
	ended := make(chan struct{}) // the line's goroutine has
	k := &keeper{cfg: cfg, line: l.line, ended: ended}
	var running sync.WaitGroup
	guarded.In(&running, "serial line", func() {
		defer close(ended)
		l.line.run(l.closed)
	}, func(err error) {
		l.line.end(err)
		_ = l.shut(err)
	})
	guarded.In(&running, "serial keeper", k.run, func(err error) {
		l.line.abandoned <- err
		_ = l.shut(err)
	})
	guarded.Go("serial end", func() {
		running.Wait()
		close(l.done)
	}, nil)
	return l
}

// Accept waits for a C64 to open a connection.
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case <-l.closed:
		return nil, l.errClosed("accept")
	default:
	}
	select {
	case c := <-l.line.newest:
		return c, nil
	case <-l.closed:
		return nil, l.errClosed("accept")
	}
}

// Close stops taking connections. One that was accepted stays, and the port is
// held until it has ended; see Done. A fault of the listener itself closes it, and
// ends the connection.
func (l *Listener) Close() error { return l.shut(nil) }

// shut closes the listener, for a fault or without one.
func (l *Listener) shut(fault error) error {
	err := l.errClosed("close")
	l.once.Do(func() {
		l.fault = fault
		close(l.closed)
		err = nil
		select {
		case c := <-l.line.newest:
			_ = c.Close()
		default:
		}
	})
	l.line.poke()
	return err
}

// Turns counts what the line's goroutine does, and gives it something to do: a
// number that stays the same for long is one of a goroutine that is stuck.
func (l *Listener) Turns() uint64 {
	defer l.line.poke()
	return l.line.turns.Load()
}

// Done is closed when, after Close, the last connection has ended and the port
// is free.
func (l *Listener) Done() <-chan struct{} { return l.done }

// Addr is the port as it was named.
func (l *Listener) Addr() net.Addr { return l.line.addr }

func (l *Listener) errClosed(op string) error {
	err := net.ErrClosed
	if isClosed(l.closed) && l.fault != nil {
		err = fmt.Errorf("%w: %w", net.ErrClosed, l.fault)
	}
	return &net.OpError{Op: op, Net: "serial", Addr: l.line.addr, Err: err}
}

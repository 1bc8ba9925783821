package linktest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"time"

	"github.com/prompt64/prompt64/appliance/link"
	"github.com/prompt64/prompt64/appliance/link/internal/duplex"
)

// What a C64's connection ends with, beside io.EOF.
var (
	ErrSilent = errors.New("linktest: the bridge has been silent for too long")
	ErrBusy   = errors.New("linktest: the bridge can take no connection")
)

// The C64's times; the program has them in frames or timer ticks.
const (
	openEvery = time.Second
	pingAfter = 5 * time.Second
	deadAfter = 15 * time.Second
	againFull = time.Second // a DATA that was answered with WAIT
	closing   = 2 * time.Second
)

// Config is how a C64 connects.
type Config struct {
	Baud   int    // of its resend time; 0: link.DefaultBaud
	Nonce  uint16 // 0: a random one, as from the timers
	Buffer int    // what it can take and has not read; 0: 256
}

// C64 is the C64's end of a connection over a line.
type C64 struct {
	*duplex.Conn
	driver *driver
	cancel context.CancelFunc
	ended  chan struct{}
}

var _ net.Conn = (*C64)(nil)

// Dial opens a connection over a port, which it owns and closes at the end. It
// sends OPEN every second until the bridge answers or ctx is done.
func Dial(ctx context.Context, port link.Port, cfg Config) (*C64, error) {
	if cfg.Baud == 0 {
		cfg.Baud = link.DefaultBaud
	}
	if cfg.Buffer == 0 {
		cfg.Buffer = 256
	}
	if cfg.Nonce == 0 {
		cfg.Nonce = uint16(rand.Uint32())
	}
	kick := make(chan struct{}, 1)
	conn := duplex.New(duplex.Config{
		In: cfg.Buffer, Out: cfg.Buffer,
		Kick: func() {
			select {
			case kick <- struct{}{}:
			default:
			}
		},
		Local: link.Addr("C64"), Remote: link.Addr("bridge"),
	})
	running, cancel := context.WithCancel(context.Background())
	c := &C64{Conn: conn, cancel: cancel, ended: make(chan struct{})}
	c.driver = newDriver(port, cfg, conn)
	opened := make(chan error, 1)
	go func() {
		defer close(c.ended)
		c.run(running, kick, opened)
	}()
	select {
	case err := <-opened:
		if err == nil {
			return c, nil
		}
		c.SwitchOff()
		return nil, fmt.Errorf("linktest: dial: %w", err)
	case <-ctx.Done():
		c.SwitchOff()
		return nil, fmt.Errorf("linktest: dial: %w", ctx.Err())
	}
}

// SwitchOff ends the C64 without a word, as a power cut does, and waits for its
// goroutines.
func (c *C64) SwitchOff() {
	c.cancel()
	<-c.ended
}

// Ended is closed when nothing of the connection is left.
func (c *C64) Ended() <-chan struct{} { return c.ended }

// run is the program's main loop.
func (c *C64) run(ctx context.Context, kick <-chan struct{}, opened chan<- error) {
	var reading sync.WaitGroup
	d := c.driver
	ctx, cancel := context.WithCancel(ctx)
	defer func() {
		cancel()
		_ = d.port.Close()
		reading.Wait()
	}()
	arrived := make(chan []byte)
	reading.Go(func() { d.readPort(ctx, arrived) })
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		wasOpen := d.state != asking
		if err := d.poll(time.Now()); err != nil {
			c.Conn.End(err)
			if !wasOpen {
				opened <- err
			}
			return
		}
		timer.Reset(max(time.Until(d.due()), 0))
		select {
		case b, ok := <-arrived:
			if !ok {
				arrived = nil
				d.err = io.ErrUnexpectedEOF
				break
			}
			d.dec.Feed(b, func(p link.Packet) { d.receive(p, time.Now()) })
		case <-kick:
		case <-timer.C:
		case <-ctx.Done():
			c.Conn.End(ErrSilent)
			return
		}
		if !wasOpen && d.state != asking && d.err == nil {
			opened <- nil
		}
	}
}

package supervisor

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
)

// Accepting wraps a listener for the service whose context ctx is: its Accept
// wakes up to Pet while no connection comes. So a service that accepts is alive
// as long as it comes back to Accept. When ctx is over the listener is closed,
// even if the service is stuck.
func Accepting(ctx context.Context, l net.Listener) net.Listener {
	a := &accepting{Listener: l, ctx: ctx, arrived: make(chan arrival), closed: make(chan struct{})}
	// Its own context may be over already: then this runs beside what follows.
	a.unlink = guarded.AfterDone(ctx, "end of accepting", func() { _ = a.shut() }, nil)
	guarded.Go("accepting", a.pump, a.broke)
	return a
}

type accepting struct {
	net.Listener
	ctx     context.Context
	arrived chan arrival
	closed  chan struct{}
	once    sync.Once
	unlink  func() bool
	fault   error // of the pump; read after closed
}

type arrival struct {
	nc  net.Conn
	err error
}

// pump takes from the listener, one at a time, until that is closed.
func (a *accepting) pump() {
	for {
		nc, err := a.Listener.Accept()
		select {
		case a.arrived <- arrival{nc, err}:
		case <-a.closed:
			if err == nil {
				_ = nc.Close()
			}
			return
		}
		if errors.Is(err, net.ErrClosed) {
			return
		}
	}
}

// broke ends the accepting, whose service fails with that.
func (a *accepting) broke(err error) { _ = a.shutFor(err) }

// Accept waits for a connection, and Pets meanwhile.
func (a *accepting) Accept() (net.Conn, error) {
	tick := time.NewTicker(PetEvery(a.ctx))
	defer tick.Stop()
	for {
		Pet(a.ctx)
		select {
		case <-a.closed: // not by chance a connection that came as well
			return nil, a.errClosed()
		default:
		}
		select {
		case got := <-a.arrived:
			return got.nc, got.err
		case <-a.closed:
			return nil, a.errClosed()
		case <-tick.C:
		}
	}
}

func (a *accepting) errClosed() error {
	err := net.ErrClosed
	if a.fault != nil {
		err = fmt.Errorf("%w: %w", net.ErrClosed, a.fault)
	}
	return &net.OpError{Op: "accept", Net: a.Addr().Network(), Addr: a.Addr(), Err: err}
}

// Close closes the listener and ends the pump.
func (a *accepting) Close() error {
	a.unlink()
	return a.shut()
}

func (a *accepting) shut() error { return a.shutFor(nil) }

func (a *accepting) shutFor(fault error) error {
	err := net.ErrClosed
	a.once.Do(func() {
		a.fault = fault
		close(a.closed)
		err = a.Listener.Close()
	})
	return err
}

package supervisor

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

// Accepting wraps a listener for the service whose context ctx is: its Accept
// wakes up to Pet while no connection comes. So a service that accepts is alive
// as long as it comes back to Accept. When ctx is over the listener is closed,
// even if the service is stuck.
func Accepting(ctx context.Context, l net.Listener) net.Listener {
	a := &accepting{Listener: l, ctx: ctx, arrived: make(chan arrival), closed: make(chan struct{})}
	// Its own context may be over already: then this runs beside what follows.
	a.unlink = context.AfterFunc(ctx, func() { _ = a.shut() })
	go a.pump()
	return a
}

type accepting struct {
	net.Listener
	ctx     context.Context
	arrived chan arrival
	closed  chan struct{}
	once    sync.Once
	unlink  func() bool
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
	return &net.OpError{Op: "accept", Net: a.Addr().Network(), Addr: a.Addr(), Err: net.ErrClosed}
}

// Close closes the listener and ends the pump.
func (a *accepting) Close() error {
	a.unlink()
	return a.shut()
}

func (a *accepting) shut() error {
	err := net.ErrClosed
	a.once.Do(func() {
		close(a.closed)
		err = a.Listener.Close()
	})
	return err
}

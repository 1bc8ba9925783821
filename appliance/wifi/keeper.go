package wifi

import (
	"context"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
)

// keeper is what the goroutine of Serve owns.
type keeper struct {
	*Manager
	changes <-chan config.Settings
	events  <-chan Event       // nil: there are none, all is polled
	quiet   context.CancelFunc // ends events

	iface  Interface // the one in use; zero: none
	tie    tie       // the association that the DHCP client works for
	lost   Event     // why the last association ended, if that was told
	region string    // in force
	wish   wish
	lease  lease

	pause pause
	doubt int  // of the radio, see suspect.go
	deep  bool // the next reset reloads the driver
	busy  bool // no scan for the pages now
}

// run walks in a circle until ctx is done.
func (k *keeper) run(ctx context.Context) {
	for ctx.Err() == nil {
		k.wish.fresh = false
		f := k.ready(ctx)
		switch {
		case f == nil && len(k.wish.list) == 0:
			k.idle(ctx)
		case f == nil:
			f = k.round(ctx)
		}
		if f == nil || ctx.Err() != nil {
			continue
		}
		k.note(f)
		k.suspect(ctx, f)
		k.rest(ctx, f)
	}
}

// idle waits for a network to be set up.
func (k *keeper) idle(ctx context.Context) {
	k.set(func(s *Status) {
		s.offline(Unset)
		s.LastFailure, s.Cause, s.Fallback = "", NoCause, false
	})
	// Once a minute the radio is looked after.
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		w, e := k.wait(ctx, time.Until(end))
		if w != woken || e.Kind == Changed {
			return
		}
	}
}

// rest pauses before the next round. Changed settings, and an interface that
// came or went, end it.
func (k *keeper) rest(ctx context.Context, f *Failure) {
	state := Waiting
	if k.iface.Index == 0 {
		state = Faulty
	}
	k.set(func(s *Status) { s.offline(state) })
	end := time.Now().Add(k.jitter(k.pause.next()))
	for ctx.Err() == nil && !k.wish.fresh {
		left := time.Until(end)
		if left <= 0 {
			return
		}
		if w, e := k.wait(ctx, left); w == woken && e.Kind == Changed && f.Cause == InterfaceGone {
			return
		}
	}
}

// end leaves everything behind as if nothing had been.
func (k *keeper) end() {
	if k.quiet != nil {
		k.quiet()
	}
	k.lease.stop()
	if k.iface.Index == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), callTime)
	defer cancel()
	_ = k.cfg.Radio.Leave(ctx, k.iface)
	_ = k.cfg.Host.ClearAddresses(k.iface.Name)
}

// call bounds one call to the radio.
func call[T any](ctx context.Context, f func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	return f(ctx)
}

// order bounds a call that only succeeds or fails.
func order(ctx context.Context, f func(context.Context) error) error {
	_, err := call(ctx, func(ctx context.Context) (struct{}, error) { return struct{}{}, f(ctx) })
	return err
}

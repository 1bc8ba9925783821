package checks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/health"
	"github.com/prompt64/prompt64/frames"
)

// roundTripTime is how long the bridge may take to answer a greeting.
const roundTripTime = 3 * time.Second

// Bridge greets the bridge as a C64 does, at an address of this machine, and
// waits for any well-formed answer: that it is full, or that this caller is not
// paired, is an answer too. It asks for no lease. A bridge without an address does
// not listen; nil is one that does not run.
func Bridge(addr func() string) health.Probe {
	return probe(health.Bridge, "Bridge", func(ctx context.Context) health.Node {
		if addr == nil {
			return off("it does not run; this starts it: prompt64 serve")
		}
		at := addr()
		ctx, cancel := context.WithTimeout(ctx, roundTripTime)
		defer cancel()
		if at == "" {
			return fail("Look at the address that it should listen on.", "it does not listen")
		}
		if err := greet(ctx, at); err != nil {
			return fail("Switch off and on again, or end the bridge and start it again. Please send a support bundle if that helps.",
				"it does not answer at %s: %v", at, err)
		}
		return ok("answers at %s", at)
	}, health.Settings)
}

// greet makes one round trip.
func greet(ctx context.Context, addr string) error {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return late(ctx, err)
	}
	defer conn.Close()
	stop := guarded.AfterDone(ctx, "end of a check", func() { _ = conn.SetDeadline(time.Unix(1, 0)) }, nil)
	defer stop()
	if _, err := conn.Write(frames.Hello{}.AppendTo(nil)); err != nil {
		return late(ctx, err)
	}
	f, err := frames.NewReader(conn, frames.ToC64).Next()
	if err != nil {
		return late(ctx, err)
	}
	_, err = frames.Decode(frames.ToC64, f)
	return late(ctx, err)
}

// late says in words what ended a conversation.
func late(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, frames.ErrFraming):
		return fmt.Errorf("its answer makes no sense: %w", err)
	case ctx.Err() != nil:
		return errors.New("it takes too long")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		return errors.New("it hangs up")
	}
	return err
}

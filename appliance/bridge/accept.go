package bridge

import (
	"context"
	"errors"
	"net"
	"syscall"
	"time"
)

// accept takes connections until l is closed. Any other error passes: the loop
// waits a little longer each time. When files run out it also gives up the
// connection that has waited longest without a lease, so that there is one for
// the C64 that comes next.
func (s *Server) accept(ctx context.Context, l net.Listener, paired bool) error {
	backoff := s.tuning.backoffMin
	for {
		nc, err := l.Accept()
		if err == nil {
			backoff = s.tuning.backoffMin
			s.start(nc, paired)
			continue
		}
		if errors.Is(err, net.ErrClosed) || ctx.Err() != nil || s.isClosing() {
			return err
		}
		s.log.Warn("accept failed, trying again", "listener", l.Addr().String(), "err", err, "wait", backoff)
		if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
			if oldest := s.waiting.dropOldest(); oldest != nil {
				cut(oldest.nc)
			}
		}
		if !s.pause(ctx, backoff) {
			return err
		}
		backoff = min(2*backoff, s.tuning.backoffMax)
	}
}

// pause waits for d; it reports false if the server stops meanwhile.
func (s *Server) pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	case <-s.stop:
		return false
	}
}

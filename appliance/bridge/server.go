package bridge

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/lease"
)

// Config is what a Server needs. Leases is required.
type Config struct {
	Leases  *lease.Table
	Pairing *Pairing // nil: only lines that are paired by nature
	// Foreign tells of connections that the allow list is not for, so that they need
	// the code whatever their address is. Nil: there are none.
	Foreign func(net.Conn) bool
	Log     *slog.Logger  // nil: discarded
	Stale   time.Duration // silence that makes an attachment stale; 0: the protocol's 6 s
}

// Server serves C64s on any number of listeners. Its methods are safe for
// concurrent use.
type Server struct {
	leases  *lease.Table
	pairing *Pairing
	foreign func(net.Conn) bool
	log     *slog.Logger
	tuning  tuning
	line    lineFunc
	waiting waiting

	mu        sync.Mutex
	closing   bool
	stop      chan struct{} // closed by Shutdown
	listeners map[net.Listener]struct{}
	conns     map[*conn]struct{}
	watching  bool
	running   sync.WaitGroup // goroutines of connections, and the watch
}

// New makes a Server; it starts nothing yet.
func New(cfg Config) *Server {
	t := defaultTuning()
	if cfg.Stale > 0 {
		t.stale = cfg.Stale
	}
	return newServer(cfg, t)
}

func newServer(cfg Config, t tuning) *Server {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Pairing == nil {
		cfg.Pairing = &Pairing{}
	}
	if cfg.Foreign == nil {
		cfg.Foreign = func(net.Conn) bool { return false }
	}
	return &Server{
		leases:    cfg.Leases,
		pairing:   cfg.Pairing,
		foreign:   cfg.Foreign,
		log:       cfg.Log,
		tuning:    t,
		line:      lineOf,
		waiting:   waiting{max: t.maxWaiting},
		stop:      make(chan struct{}),
		listeners: make(map[net.Listener]struct{}),
		conns:     make(map[*conn]struct{}),
	}
}

// ErrClosed is returned by Serve on a Server that was shut down before.
var ErrClosed = errors.New("bridge: server is shut down")

// Serve takes connections from l until ctx is done or Shutdown is called, and
// then closes l and returns nil; the connections stay until Shutdown. Failing
// accepts are tried again for ever; only a listener that somebody else closed
// is an error.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	return s.serve(ctx, l, false)
}

// ServePaired is Serve for a listener whose connections need no pairing, such
// as a serial line: who holds its plug is in the room.
func (s *Server) ServePaired(ctx context.Context, l net.Listener) error {
	return s.serve(ctx, l, true)
}

func (s *Server) serve(ctx context.Context, l net.Listener, paired bool) error {
	if !s.addListener(l) {
		_ = l.Close()
		return ErrClosed
	}
	defer s.removeListener(l)
	closeListener := guarded.AfterDone(ctx, "bridge listener's end", func() { _ = l.Close() }, nil)
	defer closeListener()
	err := s.accept(ctx, l, paired)
	if ctx.Err() != nil || s.isClosing() {
		return nil
	}
	return fmt.Errorf("bridge: accept on %s: %w", l.Addr(), err)
}

func (s *Server) addListener(l net.Listener) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return false
	}
	s.listeners[l] = struct{}{}
	if !s.watching {
		s.watching = true
		s.startWatch()
	}
	return true
}

func (s *Server) removeListener(l net.Listener) {
	_ = l.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.listeners, l)
}

func (s *Server) isClosing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closing
}

// start serves nc, unless the server is shutting down.
func (s *Server) start(nc net.Conn, paired bool) {
	tuneTCP(nc, s.tuning)
	c := newConn(s, nc, paired)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		_ = nc.Close()
		return
	}
	s.conns[c] = struct{}{}
	if oldest := s.waiting.add(c); oldest != nil {
		cut(oldest.nc)
	}
	guarded.In(&s.running, "bridge reader", func() {
		defer s.forget(c)
		c.serve()
	}, c.broke)
}

func (s *Server) forget(c *conn) {
	_ = c.nc.Close()
	s.waiting.remove(c)
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
}

// Shutdown closes all listeners and connections and waits for their goroutines,
// until ctx is done. The leases stay; closing their Table is the caller's.
func (s *Server) Shutdown(ctx context.Context) error {
	s.closeAll()
	done := make(chan struct{})
	guarded.Go("bridge end", func() {
		s.running.Wait()
		close(done)
	}, nil)
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("bridge: shut down: %w", ctx.Err())
	}
}

func (s *Server) closeAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closing {
		s.closing = true
		close(s.stop)
	}
	for l := range s.listeners {
		_ = l.Close()
	}
	for c := range s.conns {
		_ = c.nc.Close()
	}
}

package bridge

import (
	"context"
	"errors"
	"net"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/prompt64/prompt64/frames"
)

func TestThreeHundredConnectionsAtOnceLeaveRoomForAC64(t *testing.T) {
	h := start(t, patient(), open(), nil)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var wg sync.WaitGroup
	for range 300 {
		p := h.dial(t)
		wg.Go(func() {
			_, _ = p.Write(hello()) // may be closed before it gets through
			_, _ = p.Write([]byte{byte(frames.TypeUserText), 0, 0, 3})
		})
	}
	wg.Wait()
	h.dial(t).greet()
	if got := h.State().Waiting; got > h.tuning.maxWaiting {
		t.Errorf("%d connections wait, want at most %d", got, h.tuning.maxWaiting)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	const limit = 8 << 20 // the test's own 300 ends included
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > limit {
		t.Errorf("heap grew by %d bytes", grown)
	}
}

func TestOneTooManyWithoutALeaseClosesTheOldest(t *testing.T) {
	h := start(t, patient(), open(), nil)
	var peers []*peer
	for range h.tuning.maxWaiting {
		p := h.dial(t)
		p.greet()
		peers = append(peers, p)
	}
	h.dial(t).greet()
	peers[0].gone()
	for _, p := range peers[1:] {
		p.send(frames.Heartbeat{})
		p.expect(frames.HeartbeatAck{})
	}
}

// brokenListener takes connections that it is told to lose for err, as a kernel
// does that cannot hand them out.
type brokenListener struct {
	net.Listener
	err  error
	lose atomic.Int32
}

func (l *brokenListener) Accept() (net.Conn, error) {
	nc, err := l.Listener.Accept()
	if err == nil && l.lose.Add(-1) >= 0 {
		_ = nc.Close()
		return nil, &net.OpError{Op: "accept", Err: l.err}
	}
	return nc, err
}

// serveOn runs a server on l and returns what Serve returns.
func serveOn(t *testing.T, s *Server, l net.Listener) (context.CancelFunc, <-chan error) {
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := s.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return cancel, served
}

func listenTCP(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func dialTCP(t *testing.T, l net.Listener) *peer {
	t.Helper()
	nc, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return newPeer(t, nc)
}

func TestFailingAcceptNeverEndsServing(t *testing.T) {
	l := &brokenListener{Listener: listenTCP(t), err: syscall.ECONNABORTED}
	serveOn(t, newServer(Config{Pairing: open()}, quick()), l)
	for range 3 {
		const fails = 9
		l.lose.Store(fails)
		for range fails {
			dialTCP(t, l).gone()
		}
		dialTCP(t, l).greet()
	}
}

func TestRunningOutOfFilesCostsOnlyTheOldestThatWaits(t *testing.T) {
	l := &brokenListener{Listener: listenTCP(t), err: syscall.EMFILE}
	s := newServer(Config{Pairing: open()}, patient())
	serveOn(t, s, l)
	oldest, second := dialTCP(t, l), dialTCP(t, l)
	oldest.greet()
	second.greet()
	l.lose.Store(1)
	dialTCP(t, l).gone()
	oldest.gone()
	second.send(frames.Heartbeat{})
	second.expect(frames.HeartbeatAck{})
	dialTCP(t, l).greet()
}

func TestServeEndsWithItsContextAndKeepsConnections(t *testing.T) {
	l := listenTCP(t)
	cancel, served := serveOn(t, newServer(Config{Pairing: open()}, patient()), l)
	p := dialTCP(t, l)
	p.greet()
	cancel()
	if err := <-served; err != nil {
		t.Errorf("Serve: %v", err)
	}
	if _, err := net.Dial("tcp", l.Addr().String()); err == nil {
		t.Error("the listener is still open")
	}
	p.send(frames.Heartbeat{})
	p.expect(frames.HeartbeatAck{})
}

func TestListenerClosedByAnotherIsAnError(t *testing.T) {
	l := listenTCP(t)
	s := newServer(Config{Pairing: open()}, patient())
	_, served := serveOn(t, s, l)
	dialTCP(t, l).greet()
	l.Close()
	if err := <-served; !errors.Is(err, net.ErrClosed) {
		t.Errorf("Serve: %v", err)
	}
}

func TestServerThatWasShutDownServesNoMore(t *testing.T) {
	s := New(Config{})
	if err := s.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	l := listenTCP(t)
	if err := s.Serve(t.Context(), l); !errors.Is(err, ErrClosed) {
		t.Errorf("Serve: %v", err)
	}
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("the listener is still open: %v", err)
	}
}

func TestShutdownClosesConnectionsInEveryState(t *testing.T) {
	l := listenTCP(t)
	s := newServer(Config{Pairing: open()}, patient())
	_, served := serveOn(t, s, l)
	silent, greeted, lingering := dialTCP(t, l), dialTCP(t, l), dialTCP(t, l)
	greeted.greet()
	if _, err := lingering.Write([]byte("?")); err != nil {
		t.Fatal(err)
	}
	lingering.expect(frames.Error{Text: []byte(frames.ErrorVersion)})
	if err := s.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-served; err != nil {
		t.Errorf("Serve: %v", err)
	}
	for _, p := range []*peer{silent, greeted, lingering} {
		p.gone()
	}
}

func TestShutdownStopsWaitingWhenItsContextIsDone(t *testing.T) {
	l := listenTCP(t)
	s := newServer(Config{Pairing: open()}, patient())
	serveOn(t, s, l)
	s.running.Add(1) // a connection that does not end
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Shutdown(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Shutdown: %v", err)
	}
	s.running.Done()
}

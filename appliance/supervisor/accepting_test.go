package supervisor

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a listener of pipes.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipes() *pipes {
	return &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case nc := <-p.conns:
		return nc, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes", Net: "unix"} }

func (p *pipes) dial() net.Conn {
	near, far := net.Pipe()
	p.conns <- far
	return near
}

func TestListenerWithoutVisitorsIsNotTakenForStuck(t *testing.T) {
	inTree(t, func(t *testing.T, tree *Tree) {
		p := newPipes()
		s := &starts{do: func(ctx context.Context, _ int32) error {
			l := Accepting(ctx, p)
			for {
				nc, err := l.Accept()
				if err != nil {
					return err
				}
				_ = nc.Close()
			}
		}}
		tree.Add(Part{Name: "x", Service: s, Deadline: DefaultDeadline})
		time.Sleep(time.Hour)
		_ = p.dial()
		synctest.Wait()
		if s.n.Load() != 1 {
			t.Errorf("%d starts: %+v", s.n.Load(), tree.States())
		}
	})
}

func TestListenerOfAStuckServiceIsClosedForTheNextOne(t *testing.T) {
	inTree(t, func(t *testing.T, tree *Tree) {
		release := make(chan struct{})
		defer close(release)
		listeners := []*pipes{newPipes(), newPipes()}
		s := &starts{do: func(ctx context.Context, n int32) error {
			l := Accepting(ctx, listeners[n-1])
			nc, err := l.Accept()
			if n == 1 { // stuck with the first visitor
				<-release
			}
			for err == nil {
				_ = nc.Close()
				nc, err = l.Accept()
			}
			return err
		}}
		tree.Add(Part{Name: "x", Service: s, Deadline: DefaultDeadline})
		synctest.Wait()
		_ = listeners[0].dial()
		waiting := listeners[0].dial() // and this one waits behind it
		time.Sleep(DefaultDeadline + grace + time.Second)
		synctest.Wait()
		if s.n.Load() != 2 || !isClosed(listeners[0]) {
			t.Fatalf("%d starts, closed %v", s.n.Load(), isClosed(listeners[0]))
		}
		if _, err := waiting.Read(make([]byte, 1)); err == nil {
			t.Error("the visitor that waited was forgotten")
		}
		_ = listeners[1].dial()
	})
}

func isClosed(p *pipes) bool {
	select {
	case <-p.closed:
		return true
	default:
		return false
	}
}

func TestClosedListenerAcceptsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		p := newPipes()
		l := Accepting(ctx, p)
		cancel()
		synctest.Wait()
		if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) || !isClosed(p) {
			t.Errorf("accept: %v", err)
		}
		if err := l.Close(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("second close: %v", err)
		}
	})
}

// A fault in what waits for connections is the failure of its service, whose
// listener is closed, so that it can be opened anew.
func TestFaultOfTheAcceptingFailsItsServiceAlone(t *testing.T) {
	inTree(t, func(t *testing.T, tree *Tree) {
		s := &starts{do: func(ctx context.Context, n int32) error {
			var p net.Listener = newPipes()
			if n == 1 {
				p = broken{p}
			}
			l := Accepting(ctx, p)
			_, err := l.Accept()
			if closed := l.Close(); n == 1 && !errors.Is(closed, net.ErrClosed) {
				t.Errorf("the listener was open: %v", closed)
			}
			return err
		}}
		tree.Add(Part{Name: "x", Service: s, Deadline: DefaultDeadline})
		synctest.Wait()
		if st := tree.state("x"); !st.Running || st.Restarts != 1 || !strings.Contains(st.Trouble, "fault in accepting: boom") {
			t.Errorf("%+v", st)
		}
	})
}

// broken is a listener with a fault.
type broken struct{ net.Listener }

func (broken) Accept() (net.Conn, error) { panic("boom") }

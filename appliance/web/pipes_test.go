package web_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/prompt64/prompt64/appliance/web"
)

// pipes is a network in memory, for tests in which time is synctest's: what is written
// into one of its lines waits until it is read.
type pipes struct {
	lines  chan net.Conn
	closed chan struct{}
	close  func()
	dialed atomic.Uint32
}

func newPipes() *pipes {
	p := &pipes{lines: make(chan net.Conn), closed: make(chan struct{})}
	p.close = sync.OnceFunc(func() { close(p.closed) })
	return p
}

// near is the server's end of a line to a neighbour, each to one of its own: of one
// address few are let in.
type near struct {
	net.Conn
	from byte
}

func (n near) RemoteAddr() net.Addr {
	return &net.TCPAddr{IP: net.IPv4(192, 168, 1, n.from), Port: 5000}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.lines:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.close(); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 168, 1, 20), Port: 80} }

// dial is for an http.Transport.
func (p *pipes) dial(context.Context, string, string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.lines <- near{there, byte(p.dialed.Add(1))}:
		return here, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// line is a browser that does as a test wants it.
func (p *pipes) line(t *testing.T) net.Conn {
	t.Helper()
	c, err := p.dial(t.Context(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// timed runs a test in synctest's time, with pages that are served and signed in to.
func timed(t *testing.T, change func(*web.Config), test func(t *testing.T, r *rig, p *pipes)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r, p := ready(t, change), newPipes()
		serveOn(t, r.site, p)
		test(t, r, p)
	})
}

// lineAnswer is what comes back on a line.
func lineAnswer(t *testing.T, c io.Reader) answer {
	t.Helper()
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("the answer breaks off behind %q: %v", body, err)
	}
	return answer{res, string(body)}
}

// head is the first lines of a request of the browser that is signed in.
func (r *rig) head(request string, more ...string) string {
	lines := append([]string{request + " HTTP/1.1", "Host: localhost", "Cookie: prompt64=" + r.cookie}, more...)
	return strings.Join(lines, "\r\n") + "\r\n\r\n"
}

package bridge

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"log/slog"
	"net"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/leaks"
	"github.com/prompt64/prompt64/appliance/lease"
	"github.com/prompt64/prompt64/frames"
)

// TestMain runs more tests side by side than there are processors: those that are
// parallel here wait most of the time.
func TestMain(m *testing.M) {
	flag.Parse()
	sideBySide := false
	flag.Visit(func(f *flag.Flag) { sideBySide = sideBySide || f.Name == "test.parallel" })
	if !sideBySide {
		_ = flag.Set("test.parallel", "8")
	}
	leaks.Main(m)
}

// patience ends a test that hangs; no test's outcome depends on it otherwise.
const patience = time.Minute

// quick is a tuning whose times a test can wait for.
func quick() tuning {
	t := defaultTuning()
	t.handshake = 300 * time.Millisecond
	t.linger = 100 * time.Millisecond
	t.backoffMin, t.backoffMax = time.Millisecond, 4*time.Millisecond
	return t
}

// patient never gives a connection up by itself.
func patient() tuning {
	t := defaultTuning()
	t.handshake, t.linger, t.lastWord, t.stale = patience, patience, patience, patience
	return t
}

// harness is a Server on loopback.
type harness struct {
	*Server
	addr string
	log  *syncBuffer
}

func start(t *testing.T, tune tuning, pairing *Pairing, leases *lease.Table) *harness {
	t.Helper()
	return startOn(t, tune, pairing, leases, lineOf)
}

// startOn is start with another view of what the transport knows.
func startOn(t *testing.T, tune tuning, pairing *Pairing, leases *lease.Table, line lineFunc) *harness {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	log := &syncBuffer{}
	s := newServer(Config{
		Leases:  leases,
		Pairing: pairing,
		Log:     slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}, tune)
	s.line = line
	served := make(chan error, 1)
	go func() { served <- s.Serve(t.Context(), l) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := s.Shutdown(ctx); err != nil {
			t.Error(err)
		}
		if err := <-served; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return &harness{Server: s, addr: l.Addr().String(), log: log}
}

// open lets loopback in.
func open() *Pairing { return NewPairing("", Loopback()) }

// peer is a client that a test moves byte by byte.
type peer struct {
	t *testing.T
	net.Conn
	frames *frames.Reader
}

func (h *harness) dial(t *testing.T) *peer {
	t.Helper()
	nc, err := net.Dial("tcp", h.addr)
	if err != nil {
		t.Fatal(err)
	}
	return newPeer(t, nc)
}

func newPeer(t *testing.T, nc net.Conn) *peer {
	t.Cleanup(func() { _ = nc.Close() })
	_ = nc.SetDeadline(time.Now().Add(patience))
	return &peer{t: t, Conn: nc, frames: frames.NewReader(nc, frames.ToC64)}
}

// send writes whole frames.
func (p *peer) send(messages ...frames.Message) {
	p.t.Helper()
	var buf []byte
	for _, m := range messages {
		buf = m.AppendTo(buf)
	}
	if _, err := p.Write(buf); err != nil {
		p.t.Fatalf("send: %v", err)
	}
}

// expect reads one frame and compares it, header and payload.
func (p *peer) expect(want frames.Message) {
	p.t.Helper()
	f, err := p.frames.Next()
	if err != nil {
		p.t.Fatalf("waiting for %v: %v", want.Type(), err)
	}
	if got := frames.AppendFrame(nil, f.Type, f.Flags, f.Payload); !bytes.Equal(got, want.AppendTo(nil)) {
		p.t.Fatalf("got %v %q, want %v %+v", f.Type, f.Payload, want.Type(), want)
	}
}

// expectEnd reads the end of the stream.
func (p *peer) expectEnd() {
	p.t.Helper()
	if f, err := p.frames.Next(); !errors.Is(err, io.EOF) {
		p.t.Fatalf("got %v %q, %v; want the end of the stream", f.Type, f.Payload, err)
	}
}

// gone waits until the connection ends, in whatever way.
func (p *peer) gone() {
	p.t.Helper()
	if _, err := io.Copy(io.Discard, p); errors.Is(err, os.ErrDeadlineExceeded) {
		p.t.Fatal("the connection was not closed")
	}
}

// refused expects words and the end.
func (p *peer) refused(words string) {
	p.t.Helper()
	p.expect(frames.Error{Text: []byte(words)})
	p.expectEnd()
}

// greet does what every C64 does first.
func (p *peer) greet() {
	p.t.Helper()
	p.send(frames.Hello{})
	p.expect(frames.HelloOk{Major: 2, Minor: 0, Capabilities: frames.AllCapabilities})
}

// eventually polls for what happens in another goroutine.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("it never happened: %s", what)
}

// syncBuffer collects a log.
type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

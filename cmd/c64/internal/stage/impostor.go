package stage

import (
	"errors"
	"io"
	"net"
	"sync"
	"testing"

	"github.com/prompt64/prompt64/frames"
)

// Wire is a C64's connection as an Impostor sees it.
type Wire struct {
	net.Conn
	in *frames.Reader
}

// Send writes frames.
func (w *Wire) Send(messages ...frames.Message) {
	var out []byte
	for _, m := range messages {
		out = m.AppendTo(out)
	}
	_, _ = w.Write(out) // a C64 that is gone is the test's matter
}

// Expect reads frames up to one of a type; false if the C64 is gone before.
// Heartbeats, and what a C64 asks before its first prompt, are answered.
func (w *Wire) Expect(want frames.Type) (payload []byte, ok bool) {
	for {
		f, err := w.in.Next()
		if err != nil {
			return nil, false
		}
		switch f.Type {
		case want:
			return append([]byte(nil), f.Payload...), true
		case frames.TypeHeartbeat:
			w.Send(frames.HeartbeatAck{})
		case frames.TypeSettingsGet:
			w.Send(frames.SettingsState{})
		case frames.TypeDashboardGet:
			w.Send(frames.DashboardDone{})
		}
	}
}

// Next reads a frame, whatever it is; false if the C64 is gone.
func (w *Wire) Next() (frames.Message, bool) {
	f, err := w.in.Next()
	if err != nil {
		return nil, false
	}
	m, err := frames.Decode(frames.ToBridge, f)
	return m, err == nil
}

// Greet plays a bridge up to a fresh lease.
func (w *Wire) Greet() {
	w.Expect(frames.TypeHello)
	w.Send(frames.HelloOk{Major: 2, Capabilities: frames.CapHeartbeat})
	w.Expect(frames.TypeLeaseGet)
	w.Send(frames.LeaseState{Token: frames.Token{1, 2, 3}, Lifetime: frames.LeaseSeconds})
}

// Drain reads until the C64 is gone.
func (w *Wire) Drain() { _, _ = io.Copy(io.Discard, w) }

// Impostor listens where a bridge should and does with each connection what the
// test says; the connection is closed behind it.
func Impostor(t testing.TB, act func(w *Wire)) *net.TCPAddr {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("stage: %v", err)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	open := map[net.Conn]bool{}
	wg.Go(func() {
		for {
			nc, err := l.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err != nil {
				continue
			}
			mu.Lock()
			open[nc] = true
			mu.Unlock()
			wg.Go(func() {
				defer nc.Close()
				act(&Wire{nc, frames.NewReader(nc, frames.ToBridge)})
			})
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		mu.Lock()
		for nc := range open {
			_ = nc.Close()
		}
		mu.Unlock()
		wg.Wait()
	})
	return l.Addr().(*net.TCPAddr)
}

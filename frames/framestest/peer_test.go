package framestest

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prompt64/prompt64/appliance/leaks"
	"github.com/prompt64/prompt64/frames"
)

func TestMain(m *testing.M) { leaks.Main(m) }

var token = frames.Token{1, 2, 3}

// peer plays the bridge by a script: one function a connection, in order. A dial
// beyond the script is refused.
type peer struct {
	t       *testing.T
	scripts chan func(*wire)
	done    chan struct{}
}

func newPeer(t *testing.T, scripts ...func(*wire)) *peer {
	p := &peer{t: t, scripts: make(chan func(*wire), len(scripts)), done: make(chan struct{}, len(scripts))}
	for _, s := range scripts {
		p.scripts <- s
	}
	return p
}

func (p *peer) dial(context.Context) (net.Conn, error) {
	select {
	case s := <-p.scripts:
		a, b := net.Pipe()
		go func() {
			defer func() { p.done <- struct{}{} }()
			defer b.Close()
			s(&wire{p.t, b, frames.NewReader(b, frames.ToBridge)})
		}()
		return a, nil
	default:
		return nil, errors.New("no script left")
	}
}

// finished waits until n scripts came to their ends.
func (p *peer) finished(n int) {
	p.t.Helper()
	for range n {
		select {
		case <-p.done:
		case <-time.After(time.Minute):
			p.t.Fatal("the script did not come to its end")
		}
	}
}

// wire is the bridge's end of a connection.
type wire struct {
	t    *testing.T
	conn net.Conn
	rd   *frames.Reader
}

func (w *wire) send(ms ...frames.Message) {
	w.t.Helper()
	var b []byte
	for _, m := range ms {
		b = m.AppendTo(b)
	}
	if _, err := w.conn.Write(b); err != nil {
		w.t.Errorf("bridge: send %v: %v", ms, err)
	}
}

func (w *wire) expect(want frames.Message) {
	w.t.Helper()
	f, err := w.rd.Next()
	if err != nil {
		w.t.Errorf("bridge: expect %v: %v", want.Type(), err)
		return
	}
	got, err := frames.Decode(frames.ToBridge, f)
	if err != nil || !cmp.Equal(want, got) {
		w.t.Errorf("bridge: got %#v, %v; want %#v", got, err, want)
	}
}

// hello answers the greeting.
func (w *wire) hello() {
	w.expect(frames.Hello{})
	w.send(frames.HelloOk{Major: frames.MajorVersion, Capabilities: frames.AllCapabilities})
}

// fresh plays everything up to a fresh lease that knows the user's settings.
func (w *wire) fresh() {
	w.hello()
	w.expect(frames.LeaseGet{})
	w.send(frames.LeaseState{Token: token, Lifetime: frames.LeaseSeconds})
	w.expect(frames.SettingsSet{Reasoning: frames.ReasoningSummary, HasDisplay: true})
	w.send(frames.SettingsState{Reasoning: frames.ReasoningSummary})
	w.expect(frames.AccessSet{Access: frames.AccessAsk})
	w.send(frames.AccessState{Access: frames.AccessAsk})
	w.expect(frames.WorkspaceSet{Path: []byte{}})
	w.send(frames.WorkspaceState{})
}

// again plays a reconnect with a replay.
func (w *wire) again(applied uint16, active bool, latest uint16, replay ...frames.Message) {
	w.t.Helper()
	w.hello()
	w.expect(frames.Reconnect{Token: token, Applied: applied})
	w.send(frames.ReconnectState{Token: token, Active: active, Latest: latest})
	w.send(append(replay, frames.ReconnectDone{})...)
}

// quiet expects nothing more until the client hangs up.
func (w *wire) quiet() {
	w.t.Helper()
	if f, err := w.rd.Next(); err != io.EOF {
		w.t.Errorf("bridge: got %v, %v; want the end", f.Type, err)
	}
}

func text(s string) []byte { return []byte(s) }

func testContext(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// start connects a client to the scripts. Its heart is still.
func start(t *testing.T, cfg Config, scripts ...func(*wire)) (*Client, *peer, context.Context) {
	t.Helper()
	p := newPeer(t, scripts...)
	cfg.Dial, cfg.Quiet, cfg.Logf = p.dial, -1, t.Logf
	c := New(cfg)
	t.Cleanup(c.Close)
	ctx := testContext(t)
	if err := c.Connect(ctx); err != nil {
		t.Fatal(err)
	}
	return c, p, ctx
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func noViolations(t *testing.T, c *Client) {
	t.Helper()
	if v := c.Violations(); len(v) > 0 {
		t.Errorf("violations: %q", v)
	}
}

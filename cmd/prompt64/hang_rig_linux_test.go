//go:build hang

package main

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/hang"
	"github.com/prompt64/prompt64/appliance/link/linktest"
	"github.com/prompt64/prompt64/appliance/mdns"
	"github.com/prompt64/prompt64/appliance/supervisor"
	"github.com/prompt64/prompt64/appliance/update/updatetest"
	"github.com/prompt64/prompt64/appliance/wifi/wifitest"
	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/frames/framestest"
)

// rigged is a device with all that it has, pretended where it is not here, a C64 at
// the network and one at a serial line, both in the middle of their sessions.
type rigged struct {
	*app
	t           *testing.T
	ctx         context.Context
	tcp, serial *framestest.Client
	tokens      map[*framestest.Client]frames.Token

	turn *sync.Mutex // of the C64 at the network

	world  *wifitest.World
	tried  *atomic.Int32 // programs whose sandbox was tried
	logged *[]string     // what must stand in the log on disk
}

const rigCode = "ABCD2345"

func newRigged(t *testing.T) *rigged {
	t.Helper()
	supervisor.Longest = supervisor.DefaultDeadline
	t.Setenv("TMPDIR", t.TempDir()) // where a device tells its guard its places
	port := filepath.Join(t.TempDir(), "ttyUSB0")
	r := &rigged{t: t, tokens: map[*framestest.Client]frames.Token{}, turn: new(sync.Mutex), tried: new(atomic.Int32), logged: new([]string)}
	a, err := startApp(t.Context(), r.device(port), silent)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	r.app, r.ctx = a, ctx
	t.Cleanup(r.keptItsLog)
	t.Cleanup(func() {
		hang.Release()
		if err := a.close(ctx); err != nil {
			t.Error(err)
		}
		cancel()
	})
	r.change(func(s *config.Settings) {
		s.Wifi = []config.Network{{SSID: "Home", PSK: config.NewSecret("correct horse")}}
	})
	r.tcp = r.session(r.dial)
	r.serial = r.session(func(ctx context.Context) (net.Conn, error) { return dialSerial(ctx, port) })
	return r
}

// in is the rig in a test within the test.
func (r *rigged) in(t *testing.T) *rigged {
	within := *r
	within.t = t
	return &within
}

// device is the options of one, on pretended hardware.
func (r *rigged) device(port string) serveOptions {
	r.world = wifitest.New(wifitest.AP{SSID: "Home", BSSID: "02:00:00:00:00:01", Key: "correct horse"})
	r.world.Hurry(20)
	card := updatetest.New(updatetest.NewRoot("v0.1.0", 64<<10))
	card.Start()
	o := testOptions(r.t)
	o.device, o.wifi, o.listen = true, true, ":0" // others must be able to connect, or there is no name
	o.data = filepath.Join(r.t.TempDir(), "perm", "prompt64")
	o.boot = config.BootFolder(r.t.TempDir())
	o.kept = newKeptLog(io.Discard)
	o.pairing.code = rigCode
	o.serial = serialOptions{port: port, baud: 115200}
	o.agent.codex = "sh" // any program
	o.machine = machine{
		radio: r.world, host: r.world, card: card,
		air:     func() (mdns.Air, error) { return newStillAir(), nil },
		sandbox: func(context.Context, string) error { r.tried.Add(1); return nil },
	}
	return o
}

// change changes the settings.
func (r *rigged) change(f func(*config.Settings)) {
	r.t.Helper()
	if err := r.settings.Update(func(s *config.Settings) error {
		s.Pairing.Code = config.NewSecret(rigCode)
		f(s)
		return nil
	}); err != nil {
		r.t.Fatal(err)
	}
}

// keptLog is the log that a device keeps on its card.
func (r *rigged) keptLog() *slog.Logger { return slog.New(r.app.options.kept.Handler(slog.LevelInfo)) }

// keptItsLog looks for the lines in the log on the card, when the bridge has ended.
func (r *rigged) keptItsLog() {
	text, err := os.ReadFile(filepath.Join(r.logsFolder(), "warnings.log"))
	for _, words := range *r.logged {
		if !strings.Contains(string(text), words) {
			r.t.Errorf("the log on disk lacks %q: %v", words, err)
		}
	}
}

// stillAir is one network, with nobody else in it.
type stillAir struct{ closed chan struct{} }

var _ mdns.Air = stillAir{}

func newStillAir() stillAir { return stillAir{make(chan struct{})} }

func (stillAir) Links() ([]mdns.Link, error) {
	return []mdns.Link{{Index: 1, Name: "eth0", Prefixes: []netip.Prefix{netip.MustParsePrefix("192.0.2.7/24")}}}, nil
}

func (stillAir) Join(mdns.Link) error                   { return nil }
func (stillAir) Send(int, netip.AddrPort, []byte) error { return nil }

func (a stillAir) Receive() (mdns.Packet, error) {
	<-a.closed
	return mdns.Packet{}, net.ErrClosed
}

func (a stillAir) Close() error { close(a.closed); return nil }

// dialSerial plugs a new adapter in, since a C64's end takes its own with it.
func dialSerial(ctx context.Context, port string) (net.Conn, error) {
	pty, err := linktest.Plug(port)
	if err != nil {
		return nil, err
	}
	nc, err := linktest.Dial(ctx, pty, linktest.Config{Baud: 115200})
	if err != nil {
		_ = pty.Close()
	}
	return nc, err
}

func (r *rigged) dial(ctx context.Context) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, "tcp", r.bridgeAddr().String())
}

// client is a C64 that comes back by itself.
func (r *rigged) client(dial func(context.Context) (net.Conn, error)) *framestest.Client {
	c := framestest.New(framestest.Config{Dial: dial, Code: rigCode, Retry: 200 * time.Millisecond, Idle: time.Second, Ack: 2 * time.Second})
	r.t.Cleanup(c.Close)
	return c
}

// session connects a C64, and plays a turn.
func (r *rigged) session(dial func(context.Context) (net.Conn, error)) *framestest.Client {
	r.t.Helper()
	c := r.client(dial)
	if err := c.Connect(r.ctx); err != nil {
		r.t.Fatal(err)
	}
	r.tokens[c] = c.Token()
	r.talks(c)
	return c
}

// talks plays a turn in the session that the C64 always had.
func (r *rigged) talks(c *framestest.Client) {
	r.t.Helper()
	if err := c.WaitAttached(r.ctx); err != nil {
		r.t.Fatal(err)
	}
	if _, err := c.Turn(r.ctx, "/stream 20"); err != nil {
		r.t.Error(err)
	}
	if c.Token() != r.tokens[c] {
		r.t.Error("the C64 has another lease")
	}
	if v := c.Violations(); len(v) > 0 {
		r.t.Error(v)
	}
}

// letsIn reports whether a new C64 with a code gets a lease.
func (r *rigged) letsIn(code string) bool {
	c := framestest.New(framestest.Config{Dial: r.dial, Code: code})
	defer c.Close()
	if c.Connect(r.ctx) != nil {
		return false
	}
	return c.Release(r.ctx) == nil
}

// healthz asks the pages, which another half of a test may be breaking just now.
func (r *rigged) healthz() int {
	r.t.Helper()
	client := http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}
	var res *http.Response
	eventually(r.t, "the pages", func() (ok bool) {
		var err error
		res, err = client.Get("http://" + r.webAddr().String() + "/healthz")
		return err == nil
	})
	_ = res.Body.Close()
	return res.StatusCode
}

// part is how a part does.
func (r *rigged) part(name string) supervisor.State {
	r.t.Helper()
	all := r.tree.States()
	i := slices.IndexFunc(all, func(s supervisor.State) bool { return s.Name == name })
	if i < 0 {
		r.t.Fatalf("there is no part %q", name)
	}
	return all[i]
}

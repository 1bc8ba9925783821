//go:build hang

package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/hang"
	"github.com/prompt64/prompt64/appliance/link/linktest"
	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/frames/framestest"
)

// rigged is a bridge with a C64 at the network and one at a serial line, both in
// the middle of their sessions.
type rigged struct {
	*app
	t           *testing.T
	ctx         context.Context
	tcp, serial *framestest.Client
	tokens      map[*framestest.Client]frames.Token
}

func newRigged(t *testing.T) *rigged {
	t.Helper()
	port := filepath.Join(t.TempDir(), "ttyUSB0")
	o := testOptions(t)
	o.serial = serialOptions{port: port, baud: 115200}
	a, err := startApp(t.Context(), o, silent)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	r := &rigged{app: a, t: t, ctx: ctx, tokens: map[*framestest.Client]frames.Token{}}
	t.Cleanup(func() {
		hang.Release()
		if err := a.close(ctx); err != nil {
			t.Error(err)
		}
		cancel()
	})
	r.tcp = r.session(r.dial)
	r.serial = r.session(func(ctx context.Context) (net.Conn, error) { return dialSerial(ctx, port) })
	return r
}

// dialSerial plugs a new adapter in, since a C64's end takes its own with it.
func dialSerial(ctx context.Context, port string) (net.Conn, error) {
	pty, err := linktest.OpenPty()
	if err != nil {
		return nil, err
	}
	_ = os.Remove(port)
	if err := os.Symlink(pty.Path, port); err != nil {
		return nil, errors.Join(err, pty.Close())
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

// session connects a C64 that comes back by itself, and plays a turn.
func (r *rigged) session(dial func(context.Context) (net.Conn, error)) *framestest.Client {
	r.t.Helper()
	c := framestest.New(framestest.Config{Dial: dial, Retry: 200 * time.Millisecond, Idle: time.Second, Ack: 2 * time.Second})
	r.t.Cleanup(c.Close)
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
	if _, err := c.Turn(r.ctx, "/stream 100"); err != nil {
		r.t.Error(err)
	}
	if c.Token() != r.tokens[c] {
		r.t.Error("the C64 has another lease")
	}
	if v := c.Violations(); len(v) > 0 {
		r.t.Error(v)
	}
}

// works checks what a part is for.
func (r *rigged) works(part string) {
	r.t.Helper()
	switch part {
	case "bridge":
		c := framestest.New(framestest.Config{Dial: r.dial})
		defer c.Close()
		if err := c.Connect(r.ctx); err != nil {
			r.t.Error(err)
		}
		if err := c.Release(r.ctx); err != nil {
			r.t.Error(err)
		}
	case "pages":
		if status := r.healthz(); status != http.StatusOK {
			r.t.Errorf("the pages answer %d", status)
		}
	case "serial":
		r.talks(r.serial)
	case "settings":
		for _, allow := range []string{"10.9.8.7", "loopback"} {
			if err := r.settings.Update(func(s *config.Settings) error {
				s.Pairing.Allow = []string{allow}
				return nil
			}); err != nil {
				r.t.Fatal(err)
			}
			eventually(r.t, "the change to be followed", func() bool { return r.letsIn() == (allow == "loopback") })
		}
	}
}

// letsIn reports whether a new C64 of this machine gets a lease.
func (r *rigged) letsIn() bool {
	c := framestest.New(framestest.Config{Dial: r.dial})
	defer c.Close()
	if c.Connect(r.ctx) != nil {
		return false
	}
	return c.Release(r.ctx) == nil
}

func (r *rigged) healthz() int {
	client := http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Get("http://" + r.webAddr().String() + "/healthz")
	if err != nil {
		r.t.Fatal(err)
	}
	_ = res.Body.Close()
	return res.StatusCode
}

// Each part hangs, panics and loses its goroutine in turn. It is back, and does
// its work; nobody's lease notices, but that of the serial line, whose C64 comes
// back to it.
func TestEveryPartIsBackAndNoOtherLeaseNotices(t *testing.T) {
	r := newRigged(t)
	parts := []string{"bridge", "pages", "serial", "settings"}
	ways := []hang.How{hang.Hang, hang.Panic, hang.Vanish}
	for _, part := range parts {
		for _, how := range ways {
			if os.Getenv("PROMPT64_LONG") == "" && (how == hang.Vanish || how == hang.Hang && part != "bridge") {
				t.Logf("%s, %s: only with PROMPT64_LONG=1", part, how)
				continue
			}
			before := restarts(r.app, part)
			reconnects := r.tcp.Stats()
			hang.Set("part "+part, how)
			eventually(t, part+" to be started again after "+string(how), func() bool { return restarts(r.app, part) > before })
			r.works(part)
			r.talks(r.tcp)
			if now := r.tcp.Stats(); now.Connects != reconnects.Connects {
				t.Errorf("%s, %s: the C64 at the network lost its connection", part, how)
			}
		}
	}
	for _, s := range r.tree.States() {
		if slices.Contains(parts, s.Name) && (!s.Running || s.Restarts < 1 || s.Restarts > len(ways)) {
			t.Errorf("%+v", s)
		}
	}
}

// What carries one C64 hangs: it comes back to its session, the others go on.
func TestC64WhoseConnectionHangsComesBackToItsSession(t *testing.T) {
	for _, name := range []string{"bridge reader", "bridge writer", "serial line"} {
		t.Run(name, func(t *testing.T) {
			if os.Getenv("PROMPT64_LONG") == "" {
				t.Skip("only with PROMPT64_LONG=1")
			}
			r := newRigged(t)
			victim, other := r.tcp, r.serial
			if name == "serial line" {
				victim, other = other, victim
			}
			hang.Set(name, hang.Hang)
			if name != "serial line" { // the next to come by is the victim
				_ = victim.Heartbeat(r.ctx)
			}
			eventually(t, "the trap to close", func() bool { return !hang.Waits(name) })
			r.talks(other)
			r.talks(victim)
		})
	}
}

// A lease that hangs cannot be mended from outside. The others go on, and the
// health address tells the guard.
func TestLeaseThatHangsIsToldToTheGuardAndHoldsUpNoOther(t *testing.T) {
	r := newRigged(t)
	hang.Set("lease", hang.Hang)
	go func() { _ = r.tcp.Heartbeat(r.ctx) }()
	eventually(t, "the trap to close", func() bool { return !hang.Waits("lease") })
	eventually(t, "the health address to fail", func() bool { return r.healthz() == http.StatusServiceUnavailable })
	r.talks(r.serial)
	r.works("bridge")
	if last, ok := r.tree.LastTrouble(); ok && strings.Contains(last.Trouble, "panic") {
		t.Errorf("%+v", last)
	}
}

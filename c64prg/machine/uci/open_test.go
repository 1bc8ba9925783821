package uci

import (
	"context"
	"errors"
	"net"
	"os"
	"syscall"
	"testing"
	"time"
)

func TestFirstSocketIsNumberZero(t *testing.T) {
	p := newPeer(t)
	c := newProgram(t, "3.14")
	for want := range byte(3) {
		if s := c.open(p.Addr()); s != want {
			t.Errorf("socket %d, want %d", s, want)
		}
	}
	c.want(c.do(3, cmdClose, 1), stOK)
	if s := c.open(p.Addr()); s != 1 {
		t.Errorf("socket %d, want the freed 1", s)
	}
}

func TestSixteenSocketsAreAllThereIs(t *testing.T) {
	p := newPeer(t)
	c := newProgram(t, "3.14", func(cfg *Config) { cfg.Foreign = []int{0, 1, 2, 3, 4} })
	for range 11 {
		c.open(p.Addr())
	}
	c.want(c.tryOpen("127.0.0.1", 1), stSocket)
	if n := len(c.d.Open()); n != 11 {
		t.Errorf("%d open, want 11", n)
	}
}

func TestRefusedConnectionHasNoDataByte(t *testing.T) {
	p := newPeer(t)
	port := p.Addr().(*net.TCPAddr).Port
	c := newProgram(t, "3.14")
	p.Close()
	c.want(c.tryOpen("127.0.0.1", port), "11,ERROR ON CONNECT: 104")
	c.d.Refuse(true)
	c.want(c.tryOpen("127.0.0.1", port), "11,ERROR ON CONNECT: 104")
	if len(c.d.Open()) != 0 {
		t.Error("a failed attempt kept its socket")
	}
}

func TestUnansweredConnectionIsBusyForNineteenSeconds(t *testing.T) {
	c := newProgram(t, "3.14")
	c.d.NoAnswer(true)
	a := c.tryOpen("127.0.0.1", 1)
	c.want(a, "11,ERROR ON CONNECT: 113")
	if a.took < 18*time.Second || a.took > 21*time.Second {
		t.Errorf("it took %s", a.took)
	}
}

func TestDialThatNeverReturnsIsGivenUp(t *testing.T) {
	c := newProgram(t, "3.14", func(cfg *Config) {
		cfg.Dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
	})
	c.want(c.tryOpen("10.0.0.1", 1), "11,ERROR ON CONNECT: 113")
}

func TestNoRouteIsKnownAtOnce(t *testing.T) {
	c := newProgram(t, "3.14", func(cfg *Config) {
		cfg.Dial = func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Err: syscall.EHOSTUNREACH}
		}
	})
	a := c.tryOpen("10.0.0.1", 1)
	c.want(a, "11,ERROR ON CONNECT: 118")
}

func TestUnknownNameTakesSevenSeconds(t *testing.T) {
	c := newProgram(t, "3.14", func(cfg *Config) {
		cfg.Resolve = func(context.Context, string) ([]string, error) { return nil, errors.New("no such host") }
	})
	for range 2 {
		a := c.tryOpen("bridge.lan", 6464)
		c.want(a, stHost)
		if a.took < 6900*time.Millisecond || a.took > 8*time.Second {
			t.Errorf("it took %s", a.took)
		}
		c.d.NoDNS(true)
	}
	if len(c.d.Open()) != 0 {
		t.Error("a failed attempt kept its socket")
	}
}

func TestNameResolvesToIPv4Only(t *testing.T) {
	p := newPeer(t)
	c := newProgram(t, "3.14", func(cfg *Config) {
		cfg.Resolve = func(context.Context, string) ([]string, error) { return []string{"::1", "127.0.0.1"}, nil }
	})
	a := c.tryOpen("bridge", p.Addr().(*net.TCPAddr).Port)
	c.want(a, stOK, 0)
	p.take()
	c.d.cfg.Resolve = func(context.Context, string) ([]string, error) { return []string{"::1"}, nil }
	c.want(c.tryOpen("bridge", 1), stHost)
}

func TestClosingAForeignSocketIsNoticed(t *testing.T) {
	for firmware, status := range map[string]string{"3.14": stOK, "newer": "12,ERROR ON CLOSE: 9"} {
		c := newProgram(t, firmware, func(cfg *Config) { cfg.Foreign = []int{0} })
		c.strict = false
		c.want(c.do(3, cmdClose, 0), status)
		if len(c.notes) == 0 {
			t.Errorf("%s: closing another service's socket went unnoticed", firmware)
		}
	}
}

func TestConnectionThatComesTooLateIsClosed(t *testing.T) {
	p := newPeer(t)
	c := newProgram(t, "3.14")
	port := p.Addr().(*net.TCPAddr).Port
	c.queue(append(append([]byte{3, cmdOpenTCP, byte(port), byte(port >> 8)}, "127.0.0.1"...), 0)...)
	c.control(ctlPush)
	c.now += c.d.cycles(time.Millisecond)
	c.d.Advance(c.now)
	conn := p.take()
	c.d.PowerCycle()
	_ = conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	if _, err := conn.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the peer's connection still lives: %v", err)
	}
}

// TestNameInPETSCIINeverResolves: nor is anybody asked for it.
func TestNameInPETSCIINeverResolves(t *testing.T) {
	c := newProgram(t, "3.14", func(cfg *Config) {
		cfg.Resolve = func(_ context.Context, host string) ([]string, error) {
			t.Errorf("the resolver was asked for %q", host)
			return nil, errors.New("no such host")
		}
	})
	for _, host := range []string{"\xc2RIDGE", "two words", ""} {
		cmd := append([]byte{3, cmdOpenTCP, 1, 0}, host...)
		c.want(c.do(append(cmd, 0)...), stHost)
	}
}

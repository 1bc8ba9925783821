package uci

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// ends waits for the connection's end and says which it was.
func ends(t *testing.T, c net.Conn) error {
	t.Helper()
	_ = c.SetReadDeadline(time.Now().Add(20 * time.Second))
	_, err := io.Copy(io.Discard, c)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatal("the connection does not end")
	}
	return err
}

// silent checks that nothing comes and the connection stays.
func silent(t *testing.T, c net.Conn) {
	t.Helper()
	_ = c.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	if n, err := c.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("the peer got %d bytes, %v; want silence", n, err)
	}
}

func TestBlackHoleIsSilentBothWaysAndMendLetsGo(t *testing.T) {
	c, s, peer := connected(t, "3.14")
	c.d.Cut(BlackHole)
	c.want(c.write(s, []byte("up")), stOK, 2, 0)
	say(t, peer, "down")
	silent(t, peer)
	c.want(c.read(s, 16), "02,NO DATA: 11", 0xff, 0xff)
	c.want(c.tryOpen("127.0.0.1", 1), "11,ERROR ON CONNECT: 113")
	c.d.Mend()
	hears(t, peer, "up")
	if got := string(c.readAll(s, 4)); got != "down" {
		t.Errorf("got %q", got)
	}
}

func TestEndBehindABlackHoleIsNotHeard(t *testing.T) {
	c, s, peer := connected(t, "3.14")
	c.d.Cut(BlackHole)
	peer.Close()
	for range 3 {
		c.want(c.read(s, 16), "02,NO DATA: 11", 0xff, 0xff)
	}
	c.d.Mend()
	var a answerTo
	for a = c.read(s, 16); a.status == "02,NO DATA: 11"; a = c.read(s, 16) {
	}
	c.want(a, stClosed, 0, 0)
}

// TestConnectionClosedInABlackHoleStaysAliveForThePeer: the bridge must let a
// new connection win over one that looks alive.
func TestConnectionClosedInABlackHoleStaysAliveForThePeer(t *testing.T) {
	p := newPeer(t)
	c := newProgram(t, "3.14")
	s := c.open(p.Addr())
	old := p.take()
	c.d.Cut(BlackHole)
	c.want(c.do(3, cmdClose, s), stOK)
	c.d.Mend()
	c.open(p.Addr())
	p.take()
	silent(t, old)
}

func TestCutShowsToBothSides(t *testing.T) {
	for kind, status := range map[Cut]string{Reset: "02,NO DATA: 104", Close: stClosed} {
		c, s, peer := connected(t, "3.14")
		c.d.Cut(kind)
		if err := ends(t, peer); (kind == Reset) != errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("the peer sees %v", err)
		}
		if a := c.read(s, 16); a.status != status {
			t.Errorf("%q, want %q", a.status, status)
		}
	}
}

func TestCutAfterLetsExactlyThoseBytesThrough(t *testing.T) {
	text := "0123456789abcdef"
	for _, kind := range []Cut{BlackHole, Reset, Close} {
		for k := range len(text) + 1 {
			c, s, peer := connected(t, "3.14")
			c.d.CutAfter(k, Out, kind)
			c.write(s, []byte(text))
			hears(t, peer, text[:k])
			if kind == BlackHole {
				continue
			}
			if rest, _ := io.ReadAll(peer); len(rest) > 0 {
				t.Fatalf("kind %d after %d: %q came behind it", kind, k, rest)
			}
		}
	}
}

func TestCutAfterBytesToTheC64(t *testing.T) {
	text := "0123456789abcdef"
	status := map[Cut]string{BlackHole: "02,NO DATA: 11", Reset: "02,NO DATA: 104", Close: stClosed}
	for _, kind := range []Cut{BlackHole, Reset, Close} {
		for k := range len(text) + 1 {
			p := newPeer(t)
			c := newProgram(t, "3.14")
			c.d.CutAfter(k, In, kind)
			s := c.open(p.Addr())
			_, _ = io.WriteString(p.take(), text) // fails where the cut was quicker
			if got := string(c.readAll(s, k)); got != text[:k] {
				t.Fatalf("kind %d after %d: got %q", kind, k, got)
			}
			if a := c.read(s, 16); a.status != status[kind] {
				t.Fatalf("kind %d after %d: %q, want %q", kind, k, a.status, status[kind])
			}
		}
	}
}

func TestFragmentsArriveOneByOne(t *testing.T) {
	c, s, peer := connected(t, "3.14")
	c.d.Fragment(1, time.Millisecond)
	say(t, peer, "fragments")
	reads := 0
	for got := ""; got != "fragments"; reads++ {
		a := c.read(s, 510)
		if len(a.data) > 2+3 {
			t.Fatalf("a READ gathered % X", a.data)
		}
		got += string(a.data[2:])
		if !strings.HasPrefix("fragments", got) {
			t.Fatalf("got %q", got)
		}
	}
	if reads < 4 {
		t.Errorf("%d reads", reads)
	}
}

func TestLagDelaysByEmulatedTime(t *testing.T) {
	c, s, peer := connected(t, "3.12")
	c.d.Lag(time.Second)
	say(t, peer, "late")
	from := c.now
	if got := string(c.readAll(s, 4)); got != "late" {
		t.Fatalf("got %q", got)
	}
	if took := c.elapsed(from); took < time.Second {
		t.Errorf("it took %s", took)
	}
}

func TestSocketsSurviveAResetExceptOnNewFirmware(t *testing.T) {
	eachFirmware(t, func(t *testing.T, p Profile) {
		c, s, peer := connected(t, p.Name)
		c.d.Reset(c.now)
		c.until("idle", func() bool { return c.load(regControl)&0x37 == 0 })
		if p.OwnSockets {
			ends(t, peer)
			return
		}
		c.want(c.write(s, []byte("still here")), stOK, 10, 0)
		hears(t, peer, "still here")
	})
}

func TestAnswerIsAwaitedFromWriteUntilBytesCome(t *testing.T) {
	c, s, peer := connected(t, "3.14")
	if c.awaits() {
		t.Error("an answer is awaited before anything was sent")
	}
	c.write(s, []byte("ping"))
	if !c.awaits() {
		t.Error("no answer is awaited behind a WRITE")
	}
	say(t, peer, "pong")
	c.readAll(s, 4)
	if c.awaits() {
		t.Error("an answer is awaited that has come")
	}
	c.write(s, []byte("ping"))
	c.now += c.d.cycles(answerWindow + time.Second)
	if c.awaits() {
		t.Error("an answer is awaited for ever")
	}
	c.write(s, []byte("ping"))
	c.d.Cut(BlackHole)
	if c.awaits() {
		t.Error("an answer is awaited from a black hole")
	}
}

// TestHoleThatOpensDuringAConnectSwallowsTheConnection: the answer to the SYN
// was the last thing that came.
func TestHoleThatOpensDuringAConnectSwallowsTheConnection(t *testing.T) {
	p := newPeer(t)
	dialed := make(chan struct{})
	c := newProgram(t, "3.14", func(cfg *Config) {
		cfg.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
			<-dialed
			return conn, err
		}
	})
	port := p.Addr().(*net.TCPAddr).Port
	c.queue(append(append([]byte{3, cmdOpenTCP, byte(port), byte(port >> 8)}, "127.0.0.1"...), 0)...)
	c.control(ctlPush)
	c.pass(time.Millisecond)
	peer := p.take()
	c.d.Cut(BlackHole)
	close(dialed)
	c.until("answer", func() bool { return c.state() == stateLast })
	c.control(ctlAck)
	c.want(c.write(0, []byte("x")), stOK, 1, 0)
	silent(t, peer)
}

func TestConnectionFailsWithTheNumberThatIsAskedFor(t *testing.T) {
	p := newPeer(t)
	c := newProgram(t, "3.14")
	c.d.FailConnect(118)
	c.want(c.tryOpen("127.0.0.1", 6464), "11,ERROR ON CONNECT: 118")
	c.d.FailConnect(0)
	c.open(p.Addr())
}

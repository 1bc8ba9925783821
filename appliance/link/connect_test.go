package link_test

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/link"
	"github.com/prompt64/prompt64/appliance/link/linktest"
)

// peer is a C64 that sends single packets.
type peer struct {
	port link.Port
	got  chan link.Packet
	done chan struct{}
}

func newPeer(d *desk) *peer {
	p := &peer{port: d.line.C64(), got: make(chan link.Packet, 1000), done: make(chan struct{})}
	go func() {
		defer close(p.done)
		var dec link.Decoder
		buf := make([]byte, 100)
		for {
			n, err := p.port.Read(buf)
			if err != nil {
				return
			}
			dec.Feed(buf[:n], func(q link.Packet) {
				q.Data = append([]byte(nil), q.Data...)
				p.got <- q
			})
		}
	}()
	return p
}

func (p *peer) close() {
	_ = p.port.Close()
	<-p.done
}

// ask sends packets and returns what comes back within half a second.
func (p *peer) ask(packets ...link.Packet) (answers []link.Packet) {
	var wire []byte
	for _, q := range packets {
		wire = q.AppendTo(wire)
	}
	return p.raw(wire)
}

func (p *peer) raw(wire []byte) (answers []link.Packet) {
	_, _ = p.port.Write(wire)
	time.Sleep(500 * time.Millisecond)
	for {
		select {
		case q := <-p.got:
			answers = append(answers, q)
		default:
			return answers
		}
	}
}

// want compares answers with the kinds of one nonce.
func want(t *testing.T, what string, got []link.Packet, nonce uint16, kinds ...link.Kind) {
	t.Helper()
	ok := len(got) == len(kinds)
	for i := range got {
		ok = ok && got[i].Kind == kinds[i] && got[i].Nonce == nonce && got[i].Bridge
	}
	if !ok {
		t.Errorf("%s: got %+v, want %v", what, got, kinds)
	}
}

func withPeer(t *testing.T, f func(t *testing.T, d *desk, p *peer)) {
	t.Helper()
	bubble(t, 38400, func(t *testing.T, d *desk) {
		p := newPeer(d)
		defer p.close()
		f(t, d, p)
	})
}

func TestOpenIsAnsweredAgainAndChangesNothing(t *testing.T) {
	withPeer(t, func(t *testing.T, d *desk, p *peer) {
		want(t, "OPEN", p.ask(link.Packet{Kind: link.Open, Nonce: 7, Number: 1}), 7, link.Opened)
		b := d.accept()
		want(t, "DATA", p.ask(link.Packet{Kind: link.Data, Nonce: 7, Data: []byte("a")}), 7, link.Ack)
		want(t, "OPEN again", p.ask(link.Packet{Kind: link.Open, Nonce: 7, Number: 1}), 7, link.Opened)
		want(t, "DATA", p.ask(link.Packet{Kind: link.Data, Nonce: 7, Number: 1, Data: []byte("b")}), 7, link.Ack)
		got := make([]byte, 2)
		if _, err := io.ReadFull(b, got); err != nil || string(got) != "ab" {
			t.Errorf("%q, %v", got, err)
		}
	})
}

func TestNewOpenReplacesTheOlderConnection(t *testing.T) {
	withPeer(t, func(t *testing.T, d *desk, p *peer) {
		p.ask(link.Packet{Kind: link.Open, Nonce: 7, Number: 1})
		older := d.accept()
		p.ask(link.Packet{Kind: link.Data, Nonce: 7, Data: []byte("a")})
		want(t, "OPEN", p.ask(link.Packet{Kind: link.Open, Nonce: 8, Number: 1}), 8, link.Opened)
		if got, err := io.ReadAll(older); string(got) != "a" || !errors.Is(err, link.ErrReplaced) {
			t.Errorf("the older one: %q, %v", got, err)
		}
		newer := d.accept()
		want(t, "DATA of the older", p.ask(link.Packet{Kind: link.Data, Nonce: 7, Number: 1, Data: []byte("x")}), 7, link.Close)
		want(t, "DATA", p.ask(link.Packet{Kind: link.Data, Nonce: 8, Data: []byte("b")}), 8, link.Ack)
		got := make([]byte, 10)
		if n, err := newer.Read(got); err != nil || string(got[:n]) != "b" {
			t.Errorf("%q, %v", got[:n], err)
		}
	})
}

func TestConnectionThatNobodyAcceptedGivesWayToANewer(t *testing.T) {
	withPeer(t, func(t *testing.T, d *desk, p *peer) {
		for nonce := range uint16(20) {
			want(t, "OPEN", p.ask(link.Packet{Kind: link.Open, Nonce: nonce, Number: 1}), nonce, link.Opened)
		}
		p.ask(link.Packet{Kind: link.Data, Nonce: 19, Data: []byte("z")})
		got := make([]byte, 10)
		if n, err := d.accept().Read(got); err != nil || string(got[:n]) != "z" {
			t.Errorf("%q, %v", got[:n], err)
		}
	})
}

func TestUnknownNonceIsAnsweredAsTheSpecificationSays(t *testing.T) {
	withPeer(t, func(t *testing.T, d *desk, p *peer) {
		ask := func() {
			t.Helper()
			for _, kind := range []link.Kind{link.Data, link.Ack, link.Wait, link.Ping} {
				q := link.Packet{Kind: kind, Nonce: 99}
				if kind == link.Data {
					q.Data = []byte{1}
				}
				want(t, kind.String(), p.ask(q), 99, link.Close)
			}
			for _, kind := range []link.Kind{link.Pong, link.Close, link.Opened, link.Busy} {
				want(t, kind.String(), p.ask(link.Packet{Kind: kind, Nonce: 99}), 99)
			}
		}
		ask()
		p.ask(link.Packet{Kind: link.Open, Nonce: 7, Number: 1})
		ask()
		want(t, "PING of the live one", p.ask(link.Packet{Kind: link.Ping, Nonce: 7}), 7, link.Pong)
	})
}

func TestAnotherVersionAndAClosedListenerAreBusy(t *testing.T) {
	withPeer(t, func(t *testing.T, d *desk, p *peer) {
		want(t, "version 2", p.ask(link.Packet{Kind: link.Open, Nonce: 7, Number: 2}), 7, link.Busy)
		p.ask(link.Packet{Kind: link.Open, Nonce: 8, Number: 1})
		b := d.accept()
		_ = d.l.Close()
		if _, err := d.l.Accept(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("Accept: %v", err)
		}
		want(t, "closed", p.ask(link.Packet{Kind: link.Open, Nonce: 9, Number: 1}), 9, link.Busy)
		want(t, "the live one", p.ask(link.Packet{Kind: link.Ping, Nonce: 8}), 8, link.Pong)
		_ = b.Close()
		want(t, "its end", p.ask()[:1], 8, link.Close)
	})
}

func TestEchoOfTheBridgesOwnPacketsMeansNothing(t *testing.T) {
	withPeer(t, func(t *testing.T, d *desk, p *peer) {
		for kind := link.Open; kind <= link.Wait; kind++ {
			q := link.Packet{Kind: kind, Bridge: true, Nonce: 7, Number: 1}
			if kind == link.Data {
				q.Data = []byte{1}
			}
			want(t, kind.String(), p.ask(q), 7)
		}
	})
}

func TestEchoingLineIsNoConnectionAndPasses(t *testing.T) {
	bubble(t, 38400, func(t *testing.T, d *desk) {
		d.line.Echo(true)
		time.Sleep(20 * time.Second)
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		c, err := linktest.Dial(ctx, d.line.C64(), linktest.Config{})
		if err != nil { // OPEN and its answer do not overlap, so it connects
			t.Fatal(err)
		}
		d.ends = append(d.ends, c)
		b := d.accept()
		d.line.Echo(false)
		bothWays(t, c, b, 2000)
	})
}

func TestCloseEndsTheOtherSideInOrder(t *testing.T) {
	bubble(t, 9600, func(t *testing.T, d *desk) {
		c, b := d.dial(linktest.Config{})
		if _, err := b.Write(noise(1, 200)); err != nil {
			t.Fatal(err)
		}
		_ = b.Close()
		if got, err := io.ReadAll(c); err != nil || len(got) != 200 {
			t.Errorf("last words: %d bytes, %v", len(got), err)
		}
		c, b = d.dial(linktest.Config{})
		if _, err := c.Write(noise(1, 200)); err != nil {
			t.Fatal(err)
		}
		_ = c.Close()
		if got, err := io.ReadAll(b); err != nil || len(got) != 200 {
			t.Errorf("last words of the C64: %d bytes, %v", len(got), err)
		}
		if _, err := b.Write([]byte{1}); err == nil {
			t.Error("a write into the end passed")
		}
		<-c.Ended()
	})
}

func TestSilenceOf15SecondsEndsAConnection(t *testing.T) {
	bubble(t, 38400, func(t *testing.T, d *desk) {
		c, b := d.dial(linktest.Config{})
		time.Sleep(time.Minute) // PING and PONG keep it
		bothWays(t, c, b, 100)
		c.SwitchOff()
		start := time.Now()
		if _, err := b.Read(make([]byte, 1)); !errors.Is(err, link.ErrSilent) {
			t.Errorf("%v", err)
		}
		if took := time.Since(start); took < 10*time.Second || took > 15*time.Second+100*time.Millisecond {
			t.Errorf("it took %v", took)
		}
	})
}

func TestEndsThatAreCutOffBothNotice(t *testing.T) {
	bubble(t, 38400, func(t *testing.T, d *desk) {
		c, b := d.dial(linktest.Config{})
		d.line.Cut(true)
		if _, err := c.Read(make([]byte, 1)); !errors.Is(err, linktest.ErrSilent) {
			t.Errorf("C64: %v", err)
		}
		if _, err := b.Read(make([]byte, 1)); !errors.Is(err, link.ErrSilent) {
			t.Errorf("bridge: %v", err)
		}
		d.line.Cut(false)
		c, b = d.dial(linktest.Config{})
		bothWays(t, c, b, 300)
	})
}

func TestListenRefusesWhatIsNoLine(t *testing.T) {
	for _, cfg := range []link.Config{{}, {Port: "/dev/ttyUSB0", Baud: 300}, {Port: "/dev/ttyUSB0", Baud: 12345}} {
		if l, err := link.Listen(cfg); err == nil {
			_ = l.Close()
			t.Errorf("%+v was taken", cfg)
		}
	}
}

func TestListenerIsClosedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, 38400, 1)
		if err := d.l.Close(); err != nil {
			t.Error(err)
		}
		<-d.l.Done()
		if err := d.l.Close(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("the second time: %v", err)
		}
	})
}

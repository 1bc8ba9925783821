package linktest

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/link"
)

// hand is a bridge whose packets a test sends one by one.
type hand struct {
	t    *testing.T
	port link.Port
	got  chan link.Packet
}

func newHand(t *testing.T, l *Line) *hand {
	t.Helper()
	port, err := l.Open("/dev/ttyUSB0", l.baud)
	if err != nil {
		t.Fatal(err)
	}
	h := &hand{t: t, port: port, got: make(chan link.Packet, 100)}
	go func() {
		var dec link.Decoder
		buf := make([]byte, 64)
		for {
			n, err := port.Read(buf)
			if err != nil {
				return
			}
			dec.Feed(buf[:n], func(p link.Packet) {
				p.Data = append([]byte(nil), p.Data...)
				h.got <- p
			})
		}
	}()
	return h
}

func (h *hand) send(kind link.Kind, number byte, data string) {
	p := link.Packet{Kind: kind, Bridge: true, Nonce: 7, Number: number, Data: []byte(data)}
	_, _ = h.port.Write(p.AppendTo(nil))
}

// want waits for the next packet.
func (h *hand) want(kind link.Kind, number byte, data string) {
	h.t.Helper()
	select {
	case p := <-h.got:
		if p.Kind != kind || p.Bridge || p.Nonce != 7 || p.Number != number || string(p.Data) != data {
			h.t.Errorf("got %+v, want %v %d %q", p, kind, number, data)
		}
	case <-time.After(4 * time.Second):
		h.t.Errorf("%v %d never came", kind, number)
	}
}

// quiet says that nothing comes for a while.
func (h *hand) quiet(d time.Duration) {
	h.t.Helper()
	select {
	case p := <-h.got:
		h.t.Errorf("got %+v", p)
	case <-time.After(d):
	}
}

// byHand runs a test of a C64 with nonce 7 and a bridge by hand.
func byHand(t *testing.T, f func(h *hand, c *C64)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := NewLine(38400, 1)
		h := newHand(t, l)
		defer h.port.Close()
		dialed := make(chan *C64)
		go func() {
			c, err := Dial(context.Background(), l.C64(), Config{Nonce: 7, Buffer: 200})
			if err != nil {
				t.Error(err)
			}
			dialed <- c
		}()
		h.want(link.Open, link.Version, "")
		h.send(link.Opened, 0, "")
		c := <-dialed
		defer c.SwitchOff()
		f(h, c)
	})
}

func TestC64AsksEverySecondUntilItIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLine(38400, 1)
		h := newHand(t, l)
		defer h.port.Close()
		ctx, cancel := context.WithTimeout(context.Background(), 3500*time.Millisecond)
		defer cancel()
		if _, err := Dial(ctx, l.C64(), Config{Nonce: 7}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
		if n := len(h.got); n != 4 {
			t.Errorf("%d OPEN in 3.5 s", n)
		}
	})
}

func TestC64ThatIsRefusedSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLine(38400, 1)
		h := newHand(t, l)
		defer h.port.Close()
		go func() {
			h.want(link.Open, link.Version, "")
			h.send(link.Busy, 0, "")
		}()
		if _, err := Dial(context.Background(), l.C64(), Config{Nonce: 7}); !errors.Is(err, ErrBusy) {
			t.Errorf("%v", err)
		}
	})
}

func TestC64AcknowledgesOnceInOrder(t *testing.T) {
	byHand(t, func(h *hand, c *C64) {
		h.send(link.Data, 0, "a")
		h.want(link.Ack, 0, "")
		h.send(link.Data, 0, "a")
		h.want(link.Ack, 0, "")
		h.send(link.Data, 2, "c")
		h.quiet(100 * time.Millisecond)
		h.send(link.Data, 1, "b")
		h.want(link.Ack, 1, "")
		h.send(link.Data, 2, "c")
		h.want(link.Ack, 2, "")
		got := make([]byte, 3)
		if _, err := io.ReadFull(c, got); err != nil || string(got) != "abc" {
			h.t.Errorf("%q, %v", got, err)
		}
	})
}

func TestC64WithoutRoomSaysWaitAndThenAckByItself(t *testing.T) {
	byHand(t, func(h *hand, c *C64) {
		full := string(make([]byte, link.MaxData))
		h.send(link.Data, 0, full)
		h.want(link.Ack, 0, "")
		h.send(link.Data, 1, full)
		h.want(link.Wait, 1, "")
		h.send(link.Data, 1, full)
		h.want(link.Wait, 1, "")
		if _, err := io.ReadFull(c, make([]byte, link.MaxData)); err != nil {
			h.t.Error(err)
		}
		h.want(link.Ack, 1, "")
	})
}

func TestC64HasTwoOutstandingAndSendsThemAgain(t *testing.T) {
	byHand(t, func(h *hand, c *C64) {
		for _, text := range []string{"a", "b", "c"} {
			if _, err := c.Write([]byte(text)); err != nil {
				h.t.Fatal(err)
			}
			time.Sleep(50 * time.Millisecond)
		}
		h.want(link.Data, 0, "a")
		h.want(link.Data, 1, "b")
		h.quiet(150 * time.Millisecond)
		h.want(link.Data, 0, "a")
		h.send(link.Wait, 0, "")
		h.quiet(900 * time.Millisecond)
		h.want(link.Data, 0, "a") // in case that the ACK got lost
		h.send(link.Ack, 1, "")
		h.want(link.Data, 2, "c")
		h.send(link.Ack, 2, "")
		h.quiet(time.Second)
	})
}

func TestC64PingsIntoSilenceAndDiesAfter15Seconds(t *testing.T) {
	byHand(t, func(h *hand, c *C64) {
		start := time.Now()
		time.Sleep(4 * time.Second)
		h.want(link.Ping, 0, "")
		h.send(link.Pong, 0, "")
		h.send(link.Ping, 0, "")
		h.want(link.Pong, 0, "")
		if _, err := c.Read(make([]byte, 1)); !errors.Is(err, ErrSilent) {
			h.t.Errorf("%v", err)
		}
		if took := time.Since(start); took < 20*time.Second || took > 21*time.Second {
			h.t.Errorf("it took %v", took)
		}
	})
}

func TestC64AnswersCloseAndClosesItself(t *testing.T) {
	byHand(t, func(h *hand, c *C64) {
		h.send(link.Close, 0, "")
		h.want(link.Close, 0, "")
		if _, err := c.Read(make([]byte, 1)); err != io.EOF {
			h.t.Errorf("%v", err)
		}
		<-c.Ended()
	})
	byHand(t, func(h *hand, c *C64) {
		_, _ = c.Write([]byte("bye"))
		_ = c.Close()
		h.want(link.Data, 0, "bye")
		h.send(link.Ack, 0, "")
		h.want(link.Close, 0, "")
		h.send(link.Close, 0, "")
		<-c.Ended()
		h.quiet(time.Second)
	})
}

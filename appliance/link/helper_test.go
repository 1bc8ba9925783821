package link_test

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"net"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/leaks"
	"github.com/prompt64/prompt64/appliance/link"
	"github.com/prompt64/prompt64/appliance/link/linktest"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// desk is a C64 and a bridge at the two ends of a line. It belongs into a
// synctest bubble.
type desk struct {
	t    *testing.T
	line *linktest.Line
	l    *link.Listener
	ends []*linktest.C64
}

func newDesk(t *testing.T, baud int, seed uint64) *desk {
	t.Helper()
	line := linktest.NewLine(baud, seed)
	l, err := link.Listen(line.Config())
	if err != nil {
		t.Fatal(err)
	}
	return &desk{t: t, line: line, l: l}
}

// dial opens a connection and returns both ends.
func (d *desk) dial(cfg linktest.Config) (*linktest.C64, *link.Conn) {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cfg.Baud = d.line.Config().Baud
	c, err := linktest.Dial(ctx, d.line.C64(), cfg)
	if err != nil {
		d.t.Fatal(err)
	}
	d.ends = append(d.ends, c)
	return c, d.accept()
}

func (d *desk) accept() *link.Conn {
	d.t.Helper()
	nc, err := d.l.Accept()
	if err != nil {
		d.t.Fatal(err)
	}
	return nc.(*link.Conn)
}

// close ends everything, however the test went.
func (d *desk) close() {
	_ = d.l.Close()
	for _, c := range d.ends {
		_ = c.Close()
		c.SwitchOff()
	}
	<-d.l.Done()
}

func noise(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// transfer sends b over a connection and compares what arrives.
func transfer(t *testing.T, from, to net.Conn, b []byte) {
	t.Helper()
	sent := make(chan error, 1)
	go func() {
		_, err := from.Write(b)
		sent <- err
	}()
	got := make([]byte, len(b))
	n, err := io.ReadFull(to, got)
	if err != nil {
		t.Errorf("after %d of %d bytes: %v", n, len(b), err)
	}
	if !bytes.Equal(got[:n], b[:n]) {
		t.Error("other bytes arrived")
	}
	if err == nil {
		err = <-sent
	}
	if err != nil {
		t.Error(err)
	}
}

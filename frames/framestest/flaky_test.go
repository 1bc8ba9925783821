package framestest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"syscall"
	"testing"
	"time"
)

// tcp returns both ends of a TCP connection on loopback.
func tcp(t *testing.T) (here, there net.Conn) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer ln.Close()
	here, err = net.Dial("tcp", ln.Addr().String())
	must(t, err)
	there, err = ln.Accept()
	must(t, err)
	t.Cleanup(func() { here.Close(); there.Close() })
	return here, there
}

var payload = []byte("0123456789")

// readAll reads to the end. In a black hole there is none: what comes in a moment
// behind k bytes counts.
func readAll(c net.Conn, k int, how How) ([]byte, error) {
	_ = c.SetReadDeadline(time.Now().Add(time.Minute)) // refused where it is closed
	if how != BlackHole {
		return io.ReadAll(c)
	}
	got := make([]byte, k)
	n, err := io.ReadFull(c, got)
	if err != nil {
		return got[:n], err
	}
	if err := c.SetReadDeadline(time.Now().Add(10 * time.Millisecond)); err != nil {
		return got, err
	}
	more, err := io.ReadAll(c)
	return append(got, more...), err
}

func TestCutAfterExactlyKBytesWritten(t *testing.T) {
	for _, how := range []How{BlackHole, Reset, Hangup} {
		for k := range len(payload) + 1 {
			here, there := tcp(t)
			n := NewNetwork(1, Always(Plan{CutWrite: Cut{how, int64(k)}, Slice: 3}))
			c := n.Wrap(here)
			wrote, err := c.Write(payload)
			if how == BlackHole && (wrote != len(payload) || err != nil) {
				t.Errorf("%v %d: wrote %d, %v: a black hole tells nobody", how, k, wrote, err)
			}
			if how != BlackHole && (wrote != k || (err == nil) != (k == len(payload))) {
				t.Errorf("%v %d: wrote %d, %v", how, k, wrote, err)
			}
			_ = c.SetReadDeadline(time.Now().Add(time.Millisecond)) // refused where the connection is closed
			if _, err := c.Read(make([]byte, 1)); err == nil || how == BlackHole && !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("%v %d: read after the cut: %v", how, k, err)
			}
			if how == BlackHole {
				c.Close()
			}
			got, err := readAll(there, k, how)
			if how != Reset && !bytes.Equal(got, payload[:k]) || len(got) > k {
				t.Errorf("%v %d: %q arrived", how, k, got)
			}
			if how == BlackHole && !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("%d: the other end was told: %v", k, err)
			}
			n.Close()
		}
	}
}

func TestCutAfterExactlyKBytesRead(t *testing.T) {
	for _, how := range []How{BlackHole, Reset, Hangup} {
		for k := range len(payload) + 1 {
			here, there := tcp(t)
			n := NewNetwork(1, Always(Plan{CutRead: Cut{how, int64(k)}}))
			c := n.Wrap(here)
			_, _ = there.Write(payload) // refused where k is 0
			got, err := readAll(c, k, how)
			if !bytes.Equal(got, payload[:k]) {
				t.Errorf("%v %d: read %q", how, k, got)
			}
			want := map[How]error{BlackHole: os.ErrDeadlineExceeded, Reset: syscall.ECONNRESET, Hangup: nil}[how]
			if !errors.Is(err, want) {
				t.Errorf("%v %d: %v", how, k, err)
			}
			if r, _ := c.Counts(); r != int64(k) {
				t.Errorf("%v %d: counted %d", how, k, r)
			}
			n.Close()
		}
	}
}

func TestCloseWakesAReaderInABlackHole(t *testing.T) {
	here, _ := tcp(t)
	n := NewNetwork(1, nil)
	defer n.Close()
	c := n.Wrap(here)
	result := make(chan error)
	go func() {
		_, err := c.Read(make([]byte, 1))
		result <- err
	}()
	n.CutAll(BlackHole)
	must(t, c.SetDeadline(time.Time{}))
	must(t, c.Close())
	if err := <-result; !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
	if err := c.Close(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("second close: %v", err)
	}
}

func TestBlackHoleBlocksAWriterOnceTheBufferIsFull(t *testing.T) {
	here, _ := tcp(t)
	n := NewNetwork(1, Always(Plan{CutWrite: Cut{How: BlackHole}}))
	defer n.Close()
	c := n.Wrap(here)
	if _, err := c.Write(make([]byte, swallowed)); err != nil {
		t.Fatal(err)
	}
	must(t, c.SetWriteDeadline(time.Now().Add(time.Millisecond)))
	if _, err := c.Write(payload); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error(err)
	}
}

func TestSlicesMoveAsManyBytesAsTheySay(t *testing.T) {
	a, b := net.Pipe()
	n := NewNetwork(1, Always(Plan{Slice: 1, Stall: 0.5, StallFor: time.Microsecond}))
	defer n.Close()
	ca, cb := n.Wrap(a), n.Wrap(b)
	go func() {
		_, _ = ca.Write(payload) // the reader judges it
		ca.Close()
	}()
	buf := make([]byte, 100)
	for i := range payload {
		if k, err := cb.Read(buf); k != 1 || err != nil || buf[0] != payload[i] {
			t.Fatalf("%d: %d, %v", i, k, err)
		}
	}
	if _, err := cb.Read(buf); err != io.EOF {
		t.Error(err)
	}
}

func TestPartialWriteDeliversAPrefixAndSaysHowMuch(t *testing.T) {
	a, b := net.Pipe()
	n := NewNetwork(7, Always(Plan{Partial: 1}))
	defer n.Close()
	c := n.Wrap(a)
	got := make(chan []byte)
	go func() {
		all, _ := io.ReadAll(b)
		got <- all
	}()
	k, err := c.Write(payload)
	if arrived := <-got; err == nil || k >= len(payload) || !bytes.Equal(arrived, payload[:k]) {
		t.Errorf("wrote %d, %v; %q arrived", k, err, arrived)
	}
}

// chances runs dials and writes and returns which of them failed.
func chances(seed uint64) []bool {
	n := NewNetwork(seed, Always(Plan{Refuse: 0.3, Reset: 0.1}))
	defer n.Close()
	var out []bool
	dial := n.Dial(func(context.Context) (net.Conn, error) {
		a, b := net.Pipe()
		go func() { _, _ = io.Copy(io.Discard, b) }() // ends with a
		return a, nil
	})
	for range 20 {
		c, err := dial(context.Background())
		out = append(out, errors.Is(err, syscall.ECONNREFUSED))
		for i := 0; err == nil && i < 20; i++ {
			_, err = c.Write(payload)
			out = append(out, err != nil)
		}
	}
	return out
}

func TestSameSeedMakesTheSameFaults(t *testing.T) {
	seed := Seed(t)
	first := chances(seed)
	if !slices.Equal(first, chances(seed)) {
		t.Error("two runs with one seed differ")
	}
	if slices.Equal(first, chances(seed+1)) {
		t.Error("two seeds make the same faults")
	}
	if !slices.Contains(first, true) || !slices.Contains(first, false) {
		t.Error("all operations had one fate")
	}
}

func TestSeedIsTakenFromTheEnvironment(t *testing.T) {
	t.Setenv(SeedVariable, "0x2A")
	if Seed(t) != 42 {
		t.Error("not the seed that was set")
	}
}

func TestListenerRefusesAndGoesOn(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	n := NewNetwork(1, Once(Plan{Refuse: 1}))
	defer n.Close()
	flaky := n.Listen(ln)
	defer flaky.Close()
	dial := NewNetwork(1, nil).DialTCP(ln.Addr().String())
	first, err := dial(t.Context())
	must(t, err)
	defer first.Close()
	second, err := dial(t.Context())
	must(t, err)
	defer second.Close()
	conn, err := flaky.Accept()
	must(t, err)
	defer conn.Close()
	if conn.RemoteAddr().String() != second.LocalAddr().String() {
		t.Error("the refused connection was accepted")
	}
	if _, err := first.Read(make([]byte, 1)); err == nil {
		t.Error("the first connection lives")
	}
}

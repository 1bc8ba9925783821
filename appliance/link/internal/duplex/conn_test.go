package duplex

import (
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

type place string

func (p place) Network() string { return "paper" }
func (p place) String() string  { return string(p) }

// newConn makes a Conn of four bytes each way and counts its kicks.
func newConn() (*Conn, *int) {
	kicks := new(int)
	return New(Config{In: 4, Out: 4, Kick: func() { *kicks++ }, Local: place("here"), Remote: place("there")}), kicks
}

func TestPutTakesAllOrNothing(t *testing.T) {
	c, kicks := newConn()
	if !c.Put([]byte("abc")) || c.Put([]byte("de")) || !c.Put([]byte("d")) {
		t.Error("room for four bytes was counted wrong")
	}
	buf := make([]byte, 3)
	if n, err := c.Read(buf); n != 3 || err != nil || string(buf) != "abc" {
		t.Errorf("%q, %v", buf[:n], err)
	}
	if *kicks != 1 {
		t.Error("the engine was not told that there is room")
	}
	if !c.Put([]byte("efg")) {
		t.Error("room that was made is not there")
	}
}

func TestWriteWaitsForRoomAndTakeMakesIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := newConn()
		done := make(chan error, 1)
		go func() {
			_, err := c.Write([]byte("abcdefghij"))
			done <- err
		}()
		got := ""
		for len(got) < 10 {
			synctest.Wait()
			if n := c.Pending(); n > 4 {
				t.Fatalf("%d bytes in a buffer of four", n)
			}
			buf := make([]byte, 3)
			got += string(buf[:c.Take(buf)])
		}
		if err := <-done; err != nil || got != "abcdefghij" {
			t.Errorf("%q, %v", got, err)
		}
	})
}

func TestEndIsSeenBehindTheLastBytes(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct{ end, read, write error }{{io.EOF, io.EOF, io.ErrClosedPipe}, {broken, broken, broken}} {
		conn, _ := newConn()
		conn.Put([]byte("ab"))
		conn.End(c.end)
		conn.End(errors.New("another"))
		buf := make([]byte, 4)
		if n, err := conn.Read(buf); n != 2 || err != nil {
			t.Errorf("%v: %d bytes, %v", c.end, n, err)
		}
		if _, err := conn.Read(buf); !errors.Is(err, c.read) {
			t.Errorf("%v: read gives %v", c.end, err)
		}
		if _, err := conn.Write(buf); !errors.Is(err, c.write) {
			t.Errorf("%v: write gives %v", c.end, err)
		}
	}
}

func TestEndWakesWhoWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, end := range []func(*Conn){func(c *Conn) { c.End(io.EOF) }, func(c *Conn) { _ = c.Close() }} {
			c, _ := newConn()
			done := make(chan error, 2)
			go func() {
				_, err := c.Read(make([]byte, 1))
				done <- err
			}()
			go func() {
				_, err := c.Write(make([]byte, 10))
				done <- err
			}()
			synctest.Wait()
			end(c)
			for range 2 {
				if err := <-done; err == nil {
					t.Error("no error")
				}
			}
		}
	})
}

func TestCloseKeepsWhatWasWrittenForTheEngine(t *testing.T) {
	c, kicks := newConn()
	if _, err := c.Write([]byte("bye")); err != nil {
		t.Fatal(err)
	}
	*kicks = 0
	if err := c.Close(); err != nil || *kicks != 1 || !c.Closed() {
		t.Errorf("%v, %d kicks", err, *kicks)
	}
	if c.Put([]byte("x")) {
		t.Error("bytes for nobody were taken")
	}
	buf := make([]byte, 10)
	if n := c.Take(buf); string(buf[:n]) != "bye" {
		t.Errorf("%q", buf[:n])
	}
	for what, err := range map[string]error{"close": c.Close(), "deadline": c.SetDeadline(time.Now())} {
		if !errors.Is(err, net.ErrClosed) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestDeadlinesPassAndAreLifted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := newConn()
		start := time.Now()
		_ = c.SetReadDeadline(start.Add(time.Second))
		_ = c.SetWriteDeadline(start.Add(2 * time.Second))
		_, err := c.Read(make([]byte, 1))
		var timeout net.Error
		if !errors.Is(err, os.ErrDeadlineExceeded) || !errors.As(err, &timeout) || !timeout.Timeout() || time.Since(start) != time.Second {
			t.Errorf("read: %v after %v", err, time.Since(start))
		}
		if n, err := c.Write(make([]byte, 10)); n != 4 || !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(start) != 2*time.Second {
			t.Errorf("write: %d, %v after %v", n, err, time.Since(start))
		}
		_ = c.SetDeadline(time.Time{})
		c.Put([]byte("x"))
		if n, err := c.Read(make([]byte, 1)); n != 1 || err != nil {
			t.Errorf("lifted: %d, %v", n, err)
		}
		// One that was moved does not pass at its old time.
		_ = c.SetReadDeadline(time.Now().Add(time.Second))
		_ = c.SetReadDeadline(time.Now().Add(time.Hour))
		time.AfterFunc(time.Minute, func() { c.Put([]byte("y")) })
		if _, err := c.Read(make([]byte, 1)); err != nil {
			t.Errorf("moved: %v", err)
		}
		_ = c.Close()
	})
}

func TestErrorsNameBothEnds(t *testing.T) {
	c, _ := newConn()
	_ = c.Close()
	_, err := c.Read(nil)
	if got := err.Error(); got != "read paper here->there: "+net.ErrClosed.Error() {
		t.Error(got)
	}
}

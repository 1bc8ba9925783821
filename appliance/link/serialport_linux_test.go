package link_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/prompt64/prompt64/appliance/link"
	"github.com/prompt64/prompt64/appliance/link/linktest"
)

const patience = time.Minute

func openPty(t *testing.T) *linktest.Pty {
	t.Helper()
	pty, err := linktest.OpenPty()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pty.Close() })
	return pty
}

func openSerial(t *testing.T, path string) link.Port {
	t.Helper()
	port, err := link.OpenSerial(path, 38400)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = port.Close() })
	return port
}

// soon fails a test in which something hangs.
func soon(t *testing.T, what string, done <-chan error) error {
	t.Helper()
	select {
	case err := <-done:
		return err
	case <-time.After(patience):
		t.Fatalf("it never ended: %s", what)
		return nil
	}
}

func inBackground(f func() error) <-chan error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	return done
}

func TestPortIsRawEightBitsAtItsSpeedWithHandshake(t *testing.T) {
	pty := openPty(t)
	openSerial(t, pty.Path)
	fd, err := unix.Open(pty.Path, unix.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil { // only root may open a port that is in use
		t.Skip("another descriptor cannot be opened: ", err)
	}
	defer unix.Close(fd)
	s, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	if s.Cflag&unix.CRTSCTS == 0 || s.Cflag&unix.CSIZE != unix.CS8 || s.Cflag&(unix.PARENB|unix.CSTOPB) != 0 {
		t.Errorf("control flags %o", s.Cflag)
	}
	if s.Cflag&unix.CBAUD != unix.B38400 {
		t.Errorf("speed %o", s.Cflag&unix.CBAUD)
	}
	if s.Lflag&(unix.ECHO|unix.ICANON|unix.ISIG) != 0 || s.Iflag&(unix.IXON|unix.IXOFF|unix.ICRNL) != 0 {
		t.Errorf("not raw: %o, %o", s.Lflag, s.Iflag)
	}
}

func TestEveryByteGoesThroughAPort(t *testing.T) {
	pty := openPty(t)
	port := openSerial(t, pty.Path)
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	for _, ends := range []struct{ from, to link.Port }{{pty, port}, {port, pty}} {
		if _, err := ends.from.Write(all); err != nil {
			t.Fatal(err)
		}
		var got []byte
		buf := make([]byte, 300)
		for len(got) < len(all) {
			n, err := ends.to.Read(buf)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, buf[:n]...)
		}
		if !bytes.Equal(got, all) {
			t.Errorf("% x", got)
		}
	}
}

// go.bug.st/serial gives (0, nil) when nothing came for a while.
func TestReadOfASilentPortWaits(t *testing.T) {
	pty := openPty(t)
	port := openSerial(t, pty.Path)
	n := 0
	done := inBackground(func() (err error) {
		n, err = port.Read(make([]byte, 10))
		return err
	})
	time.Sleep(350 * time.Millisecond) // several of its time-outs
	if _, err := pty.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := soon(t, "Read", done); err != nil || n != 1 {
		t.Errorf("%d bytes, %v", n, err)
	}
}

func TestCloseEndsABlockedRead(t *testing.T) {
	port := openSerial(t, openPty(t).Path)
	read := inBackground(func() error {
		_, err := port.Read(make([]byte, 10))
		return err
	})
	time.Sleep(20 * time.Millisecond)
	if err := soon(t, "Close", inBackground(port.Close)); err != nil {
		t.Error(err)
	}
	if soon(t, "Read", read) == nil {
		t.Error("Read gave no error")
	}
}

// A C64 that holds the line for ever, or is off: nobody takes the bytes.
func TestCloseEndsABlockedWrite(t *testing.T) {
	port := openSerial(t, openPty(t).Path)
	write := inBackground(func() error {
		for {
			if _, err := port.Write(make([]byte, 4096)); err != nil {
				return err
			}
		}
	})
	time.Sleep(50 * time.Millisecond)
	if err := soon(t, "Close", inBackground(port.Close)); err != nil {
		t.Error(err)
	}
	if soon(t, "Write", write) == nil {
		t.Error("Write gave no error")
	}
}

func TestPulledPortEndsAReadWithAnError(t *testing.T) {
	pty := openPty(t)
	port := openSerial(t, pty.Path)
	read := inBackground(func() error {
		n, err := port.Read(make([]byte, 10))
		if n != 0 {
			t.Errorf("%d bytes", n)
		}
		return err
	})
	time.Sleep(20 * time.Millisecond)
	_ = pty.Close()
	if soon(t, "Read", read) == nil {
		t.Error("no error")
	}
}

func TestPortThatDoesNotOpenSaysWhatToDo(t *testing.T) {
	_, err := link.OpenSerial("/dev/ttyUSB99", 38400)
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "plug the adapter in") {
		t.Errorf("%v", err)
	}
	if _, err := link.OpenSerial("/dev/null", 38400); err == nil {
		t.Error("/dev/null is no serial port")
	}
}

// adapters is a system's list of ports that a test changes.
type adapters struct {
	mu   sync.Mutex
	list []link.Device
}

func (a *adapters) set(list ...link.Device) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.list = list
}

func (a *adapters) get() ([]link.Device, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.list, nil
}

func TestRealPortIsFoundAgainWithinTwoSeconds(t *testing.T) {
	var have adapters
	first := openPty(t)
	have.set(link.Device{Path: first.Path, Serial: "A50285BI"})
	l, err := link.Listen(link.Config{Port: first.Path, List: have.get, Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = l.Close()
		<-l.Done()
	}()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	talk := func(pty *linktest.Pty) {
		t.Helper()
		c, err := linktest.Dial(ctx, pty, linktest.Config{Buffer: 1024})
		if err != nil {
			t.Fatal(err)
		}
		defer c.SwitchOff()
		nc, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		b := nc.(*link.Conn)
		bothWays(t, c, b, 2000)
		_ = c.Close()
		<-c.Ended() // the far end is closed with it: the adapter is out
		_ = b.Close()
	}
	talk(first)
	have.set()
	second := openPty(t)
	have.set(link.Device{Path: second.Path, Serial: "A50285BI"})
	talk(second)
}

func TestBytesArriveOverARealPortWithFaults(t *testing.T) {
	pty := openPty(t)
	l, err := link.Listen(link.Config{Port: pty.Path, Baud: 115200})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	c, err := linktest.Dial(ctx, linktest.Noisy(pty, linktest.Rough, 3), linktest.Config{Baud: 115200})
	if err != nil {
		t.Fatal(err)
	}
	b, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	bothWays(t, c, b.(*link.Conn), 4000)
	_ = b.Close()
	_ = l.Close()
	<-l.Done()
	c.SwitchOff()
}

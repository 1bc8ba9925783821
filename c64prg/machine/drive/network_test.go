package drive

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/prompt64/prompt64/c64prg"
	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/c64prg/machine/uci"
)

// dialing is the project's program, told to connect to a listener that takes
// the connection and says nothing.
func dialing(t *testing.T, firmware string) (*Driver, net.Listener) {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	prg, err := c64prg.Patch(c64prg.Program(), c64prg.Config{Host: "127.0.0.1", Port: uint16(l.Addr().(*net.TCPAddr).Port)})
	if err != nil {
		t.Fatal(err)
	}
	p, err := uci.ProfileNamed(firmware)
	if err != nil {
		t.Fatal(err)
	}
	m := machine.New(machine.Options{UCI: uci.Config{Profile: p}})
	t.Cleanup(m.Close)
	path := filepath.Join(t.TempDir(), "p.prg")
	if err := os.WriteFile(path, prg, 0o600); err != nil {
		t.Fatal(err)
	}
	d := New(m, Config{Glyphs: c64prg.Glyph})
	if err := d.LoadFile(path); err != nil {
		t.Fatal(err)
	}
	if err := d.WaitText("ready to connect", 10*time.Second); err != nil {
		t.Fatal(err)
	}
	return d, l
}

// opening runs the machine until the peer has read the program's first byte.
func opening(t *testing.T, d *Driver, l net.Listener) net.Conn {
	t.Helper()
	got := make(chan net.Conn, 1)
	go func() {
		c, err := l.Accept()
		if err == nil {
			_, err = io.ReadFull(c, make([]byte, 1))
		}
		if err != nil {
			t.Error(err)
		}
		got <- c
	}()
	if err := d.Press(machine.KeyReturn); err != nil {
		t.Fatal(err)
	}
	for range 500 {
		select {
		case c := <-got:
			t.Cleanup(func() { c.Close() })
			return c
		default:
		}
		if err := d.RunFrames(1); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatalf("the program does not call\n%s", d.Dump())
	return nil
}

func TestProgramCallsThroughTheDriver(t *testing.T) {
	for _, firmware := range []string{"3.10", "3.12", "newer"} {
		d, l := dialing(t, firmware)
		opening(t, d, l)
		if n := d.M.Notes(); len(n) > 0 {
			t.Errorf("%s: notes %q", firmware, n)
		}
	}
}

func TestCutsReachThePeer(t *testing.T) {
	for _, kind := range []uci.Cut{uci.Reset, uci.Close} {
		d, l := dialing(t, "newer")
		c := opening(t, d, l)
		d.Cut(kind)
		_ = c.SetReadDeadline(time.Now().Add(20 * time.Second))
		_, err := io.Copy(io.Discard, c)
		if ne, ok := err.(net.Error); ok && ne.Timeout() {
			t.Errorf("kind %d: the peer hears nothing", kind)
		}
	}
}

func TestCutAfterThroughTheDriverCountsBytes(t *testing.T) {
	d, l := dialing(t, "newer")
	d.CutAfter(3, uci.Out, uci.Close)
	c := opening(t, d, l)
	for range 50 {
		if err := d.RunFrames(1); err != nil {
			t.Fatal(err)
		}
	}
	rest, err := io.ReadAll(c)
	if err != nil || len(rest) != 2 {
		t.Errorf("%d bytes came behind the first, %v; want 2", len(rest), err)
	}
}

func TestMendLetsAHeldConnectionGoOn(t *testing.T) {
	d, l := dialing(t, "newer")
	c := opening(t, d, l)
	d.Cut(uci.BlackHole)
	d.Menu(time.Second)
	d.Mend()
	c.Close()
	if err := d.RunFrames(20); err != nil {
		t.Fatal(err)
	}
	if len(d.M.UCI().Open()) != 0 && !d.Screen().Has("OFF LINE") {
		t.Errorf("the end was not heard\n%s", d.Dump())
	}
}

func TestMissingFileIsNamed(t *testing.T) {
	d := idle(t, Config{})
	if err := d.LoadFile("/nonexistent.prg"); err == nil {
		t.Error("a missing file was loaded")
	}
}

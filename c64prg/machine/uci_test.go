package machine

import (
	"context"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/c64prg/machine/uci"
)

// command pushes a command and waits for STATE to show data.
func command(bytes ...byte) []byte {
	code := []byte{0xad, 0x1c, 0xdf, 0x29, 0x35, 0xd0, 0xf9} // until idle
	for _, b := range bytes {
		code = append(code, put(0xdf1d, b)...)
	}
	return join(code, put(0xdf1c, 1), []byte{0xad, 0x1c, 0xdf, 0x29, 0x20, 0xf0, 0xf9})
}

// reply copies n bytes of data to RAM and acknowledges.
func reply(to uint16, n int) (code []byte) {
	for i := range n {
		code = append(code, copyByte(0xdf1e, to+uint16(i))...)
	}
	return append(code, put(0xdf1c, 2)...)
}

// openTo is OPEN TCP to a dotted address.
func openTo(host string, port int) []byte {
	return append(append([]byte{3, 7, byte(port), byte(port >> 8)}, host...), 0)
}

func TestProgramTalksToAPeerOnEveryFirmware(t *testing.T) {
	for _, p := range uci.Profiles() {
		t.Run(p.Name, func(t *testing.T) {
			l, err := net.Listen("tcp4", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			echoed := make(chan error, 1)
			go func() { echoed <- echo(l, 4) }()
			code := join(banks(0x35), command(openTo("127.0.0.1", l.Addr().(*net.TCPAddr).Port)...), reply(0x2000, 1),
				command(3, 0x11, 0, 'p', 'i', 'n', 'g'), reply(0x2001, 2), command(3, 0x10, 0, 16, 0), reply(0x2010, 6))
			m := started(t, Options{UCI: uci.Config{Profile: p}}, 50, code...)
			for range 100 { // 3.10 gives up on a READ after 4 ms
				if m.Peek(0x2010) == 4 {
					break
				}
				if err := m.Load(program(loop(join(banks(0x35), command(3, 0x10, 0, 16, 0), reply(0x2010, 6)))...)); err != nil {
					t.Fatal(err)
				}
				if err := m.RunFrames(5); err != nil {
					t.Fatal(err)
				}
			}
			if err := <-echoed; err != nil {
				t.Fatal(err)
			}
			m.want(t, 0x2000, 0, 4, 0)
			m.want(t, 0x2010, 4, 0, 'p', 'i', 'n', 'g')
			if len(m.Notes()) > 0 {
				t.Errorf("notes: %q", m.Notes())
			}
		})
	}
}

// echo sends n bytes back.
func echo(l net.Listener, n int) error {
	c, err := l.Accept()
	if err != nil {
		return err
	}
	defer c.Close()
	buf := make([]byte, n)
	for got := 0; got < n; {
		k, err := c.Read(buf[got:])
		if err != nil {
			return err
		}
		got += k
	}
	_, err = c.Write(buf)
	return err
}

func TestNotesNameThePlace(t *testing.T) {
	m := started(t, Options{}, 1, join(banks(0x35), put(0xdf1c, 0x81))...)
	if n := m.Notes(); len(n) != 1 || !strings.HasSuffix(n[0], " at $0814") {
		t.Errorf("notes %q", n)
	}
	m.ClearNotes()
	if len(m.Notes()) != 0 {
		t.Error("the notes stay")
	}
}

func TestWithoutAnUltimateTheBusIsOpen(t *testing.T) {
	m := started(t, Options{NoUCI: true}, 1, join(banks(0x35), copyByte(0xdf1d, 0x2000))...)
	m.want(t, 0x2000, 0xff)
}

// pipes gives a Dial whose other end never says anything.
func pipes(t *testing.T) uci.Config {
	p, err := uci.ProfileNamed("3.12")
	if err != nil {
		t.Fatal(err)
	}
	return uci.Config{Profile: p, Dial: func(context.Context, string, string) (net.Conn, error) {
		c, other := net.Pipe()
		go func() {
			buf := make([]byte, 64)
			for {
				if _, err := other.Read(buf); err != nil {
					return
				}
			}
		}()
		return c, nil
	}}
}

// TestRealTimeIsPaidForWhileThePeerIsWaitedFor: in a bubble, where sleeping is
// the only thing that takes time.
func TestRealTimeIsPaidForWhileThePeerIsWaitedFor(t *testing.T) {
	read := command(3, 0x10, 0, 16, 0)
	for _, c := range []struct {
		name     string
		opt      Options
		code     []byte
		emulated uint64 // seconds
		min, max time.Duration
	}{
		{"real time", Options{Speed: 1}, nil, 3, 2900 * time.Millisecond, 3100 * time.Millisecond},
		{"four times real time", Options{Speed: 4}, nil, 4, 900 * time.Millisecond, 1100 * time.Millisecond},
		{"unbounded and idle", Options{}, nil, 5, 0, 0},
		{"a READ waits", Options{}, read, 3, 140 * time.Millisecond, 170 * time.Millisecond},
		{"a READ waits, other rate", Options{IdleRate: 3}, read, 3, 900 * time.Millisecond, 1100 * time.Millisecond},
		{"an answer is due", Options{}, command(3, 0x11, 0, 'x'), 2, 640 * time.Millisecond, 700 * time.Millisecond},
		{"no answer came for long", Options{}, command(3, 0x11, 0, 'x'), 20, 750 * time.Millisecond, 830 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c.opt.UCI = pipes(t)
				m := New(c.opt)
				defer m.Close()
				code := join(banks(0x35), command(openTo("10.0.0.1", 1)...), reply(0x2000, 1), c.code)
				if err := m.Load(program(loop(code)...)); err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				if err := m.Run(c.emulated * PAL.Hz); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(began); took < c.min || took > c.max+10*time.Millisecond {
					t.Errorf("%d s of emulated time took %s, want %s to %s", c.emulated, took, c.min, c.max)
				}
			})
		})
	}
}

func TestMenuStopsTheC64AndNotTheUltimate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(Options{UCI: pipes(t)})
		defer m.Close()
		code := join(banks(0x35), command(openTo("10.0.0.1", 1)...), reply(0x2000, 1), command(3, 0x10, 0, 16, 0), reply(0x2010, 2))
		if err := m.Load(program(loop(code)...)); err != nil {
			t.Fatal(err)
		}
		if err := m.RunFrames(50); err != nil {
			t.Fatal(err)
		}
		m.Poke(0x2010, 0)
		clk, frames := m.Clock(), m.Frames()
		m.Freeze(10 * PAL.Hz)
		if m.Clock() != clk || m.Frames() != frames {
			t.Error("the C64 went on")
		}
		if err := m.RunFrames(1); err != nil {
			t.Fatal(err)
		}
		m.want(t, 0x2010, 0xff, 0xff) // the READ of 4 s ended meanwhile
	})
}

package uci

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// program is a C64 program that drives the interface as a careful one should.
type program struct {
	t      *testing.T
	d      *Device
	now    uint64
	notes  []string
	steps  int
	strict bool // breaches of the rules fail the test
}

func newProgram(t *testing.T, firmware string, change ...func(*Config)) *program {
	t.Helper()
	p, err := ProfileNamed(firmware)
	if err != nil {
		t.Fatal(err)
	}
	c := &program{t: t, strict: true}
	cfg := Config{Profile: p, Violate: func(s string) { c.notes = append(c.notes, s) }}
	for _, f := range change {
		f(&cfg)
	}
	c.d = New(cfg)
	t.Cleanup(func() {
		c.d.Close()
		if c.strict && len(c.notes) > 0 {
			t.Errorf("breaches of the rules: %q", c.notes)
		}
	})
	return c
}

// pass lets emulated time pass, slowly enough for the peer when it is waited on.
func (c *program) pass(t time.Duration) {
	step := c.d.cycles(20 * time.Microsecond)
	for end := c.now + c.d.cycles(t); c.now < end; {
		c.now += step
		c.d.Advance(c.now)
		if c.steps++; c.steps%500 == 0 && (c.awaits() || c.d.AwaitsNetwork()) {
			c.d.Wait(20 * time.Microsecond)
		}
	}
}

func (c *program) load(reg byte) byte { return c.d.Load(reg, c.now) }
func (c *program) store(reg, v byte)  { c.d.Store(reg, v, c.now) }
func (c *program) state() byte        { return c.load(regControl) >> 4 & 3 }
func (c *program) queue(b ...byte)    { c.each(b, func(v byte) { c.store(regCommand, v) }) }
func (c *program) control(bits byte)  { c.store(regControl, bits) }
func (c *program) elapsed(from uint64) time.Duration {
	return time.Duration((c.now - from) * uint64(time.Second) / c.d.cfg.Hz)
}

func (c *program) each(b []byte, f func(byte)) {
	for _, v := range b {
		f(v)
	}
}

func (c *program) awaits() bool {
	_, ok := c.d.AwaitsAnswer(c.now)
	return ok
}

// until passes time until ok, or fails the test after a long time.
func (c *program) until(what string, ok func() bool) {
	c.t.Helper()
	for range 40_000 {
		if ok() {
			return
		}
		c.pass(time.Millisecond)
	}
	c.t.Fatalf("%s: not within 40 s of emulated time (status $%02X)", what, c.load(regControl))
}

// answerTo is what a command brought.
type answerTo struct {
	data   []byte
	status string
	took   time.Duration
}

// do runs a command and acknowledges its answer.
func (c *program) do(cmd ...byte) answerTo {
	c.t.Helper()
	c.until("idle", func() bool { return c.load(regControl)&0x35 == 0 })
	c.queue(cmd...)
	c.control(ctlPush)
	from := c.now
	c.until(fmt.Sprintf("answer to % X", cmd[:2]), func() bool { return c.state() >= stateLast })
	a := answerTo{took: c.elapsed(from)}
	for {
		for c.load(regControl)&0x80 != 0 {
			a.data = append(a.data, c.load(regData))
		}
		for c.load(regControl)&0x40 != 0 {
			a.status += string(rune(c.load(regStatus)))
		}
		more := c.state() == stateMore
		c.control(ctlAck)
		if !more {
			return a
		}
		c.until("next block", func() bool { return c.state() >= stateLast })
	}
}

func (c *program) want(a answerTo, status string, data ...byte) {
	c.t.Helper()
	if a.status != status || string(a.data) != string(data) {
		c.t.Fatalf("answer is %q % X, want %q % X", a.status, a.data, status, data)
	}
}

// open connects to an address and returns the socket.
func (c *program) open(addr net.Addr) byte {
	c.t.Helper()
	a := c.tryOpen("127.0.0.1", addr.(*net.TCPAddr).Port)
	if a.status != stOK || len(a.data) != 1 {
		c.t.Fatalf("open: %q % X", a.status, a.data)
	}
	return a.data[0]
}

func (c *program) tryOpen(host string, port int) answerTo {
	cmd := append([]byte{3, cmdOpenTCP, byte(port), byte(port >> 8)}, host...)
	return c.do(append(cmd, 0)...)
}

func (c *program) read(s byte, n int) answerTo {
	return c.do(3, cmdRead, s, byte(n), byte(n>>8))
}

func (c *program) write(s byte, b []byte) answerTo {
	return c.do(append([]byte{3, cmdWrite, s}, b...)...)
}

// readAll reads until n bytes have come.
func (c *program) readAll(s byte, n int) []byte {
	c.t.Helper()
	var out []byte
	for len(out) < n {
		a := c.read(s, 510)
		if count := binary.LittleEndian.Uint16(a.data); count == noCount || a.status != stOK {
			if a.status != "02,NO DATA: 11" {
				c.t.Fatalf("read after %d bytes: %q", len(out), a.status)
			}
			continue
		}
		out = append(out, a.data[2:]...)
	}
	return out
}

// peer is the other end: it accepts one connection at a time.
type peer struct {
	net.Listener
	t *testing.T
}

func newPeer(t *testing.T) *peer {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return &peer{l, t}
}

func (p *peer) take() *net.TCPConn {
	p.t.Helper()
	c, err := p.Accept()
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { c.Close() })
	return c.(*net.TCPConn)
}

// connected is a program with a socket and the peer's end of it.
func connected(t *testing.T, firmware string, change ...func(*Config)) (*program, byte, *net.TCPConn) {
	t.Helper()
	p := newPeer(t)
	c := newProgram(t, firmware, change...)
	s := c.open(p.Addr())
	return c, s, p.take()
}

// hears reads exactly what the peer should get.
func hears(t *testing.T, c net.Conn, want string) {
	t.Helper()
	got := make([]byte, len(want))
	_ = c.SetReadDeadline(time.Now().Add(20 * time.Second))
	if _, err := io.ReadFull(c, got); err != nil || string(got) != want {
		t.Fatalf("the peer got %.60q, %v; want %.60q", got, err, want)
	}
}

func say(t *testing.T, c net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
}

// eachFirmware runs a test on every profile.
func eachFirmware(t *testing.T, f func(t *testing.T, p Profile)) {
	for _, p := range Profiles() {
		t.Run(p.Name, func(t *testing.T) { f(t, p) })
	}
}

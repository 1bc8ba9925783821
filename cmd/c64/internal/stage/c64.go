package stage

import (
	"cmp"
	"context"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prompt64/prompt64/c64prg"
	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/c64prg/machine/drive"
	"github.com/prompt64/prompt64/c64prg/machine/uci"
)

// Machine says which C64 to switch on. The zero value is a PAL machine with the
// newest firmware.
type Machine struct {
	Standard machine.Standard
	Firmware string        // a profile's name
	Seed     uint64        // of what RAM holds at power-on; 0 is the usual pattern
	Host     string        // what the program is to dial; empty: the bridge's address
	Port     uint16        // the same
	Detour   bool          // whatever the program dials, it reaches the bridge
	Code     string        // pairing code in the program
	Agent    string        // the name that Connect waits for; empty: the demo's
	Patience time.Duration // emulated, for what Settled, Asked and others wait for; 0: three minutes
	UCI      uci.Config
	Bare     bool  // the program as it was built: no address in it
	NoUCI    bool  // no Ultimate
	Line     *Line // a serial line, which the program is told to use
	Untold   bool  // it is not told so
	Choose   bool  // the program is to use the network if there is one, else the line
	Turbo    int   // MHz of an Ultimate 64; 0 is a plain C64
	Fixed    bool  // the turbo cannot be switched off
}

// C64 is a machine that runs the program, and somebody at its keyboard.
type C64 struct {
	*drive.Driver
	Paper *Paper
	Dials atomic.Int32 // connections that the Ultimate was asked to open

	// Dialled, if set, is called when a connection has been asked for, at the
	// next frame.
	Dialled func()
	told    int32

	t      testing.TB
	line   *Line
	prg    []byte
	agent  string
	settle time.Duration

	reset bool // was pressed
}

// Boot switches a C64 on, loads the program with the bridge's address in it and
// waits for its connect screen. When the test ends the machine must be in good
// order: no instruction outside the program, no rule of the UCI broken.
func Boot(t testing.TB, at *net.TCPAddr, o Machine) *C64 {
	t.Helper()
	c := &C64{t: t, line: o.Line, agent: cmp.Or(o.Agent, "demo"), settle: cmp.Or(o.Patience, settleTime)}
	c.prg = c.patched(at, o)
	cfg := o.UCI
	cfg.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		c.Dials.Add(1)
		if o.Detour {
			address = at.String()
		}
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}
	if o.Firmware != "" {
		p, err := uci.ProfileNamed(o.Firmware)
		c.must(err)
		cfg.Profile = p
	}
	m := machine.New(machine.Options{
		Standard: o.Standard, UCI: cfg, NoUCI: o.NoUCI, Seed: o.Seed,
		TurboMHz: o.Turbo, TurboFixed: o.Fixed, Strict: true, Speed: o.speed(),
	})
	m.AllowExec(nmiFrom, nmiTo)
	if o.Line != nil {
		o.Line.plug(m)
	}
	c.Driver = drive.New(m, drive.Config{Glyphs: c64prg.Glyph})
	t.Cleanup(c.leave)
	c.must(m.Load(c.prg))
	c.Paper = newPaper(m)
	c.Wait("coding agent for your c64", time.Second)
	return c
}

// The program's NMI code lies below it, see c64prg/src/memory.inc.
const nmiFrom, nmiTo = 0x06b4, 0x0700

// speed is real time where the bridge lives in it, with a line.
func (o Machine) speed() float64 {
	if o.Line != nil {
		return 1
	}
	return 0
}

func (c *C64) patched(at *net.TCPAddr, o Machine) []byte {
	c.t.Helper()
	if o.Bare {
		return c64prg.Program()
	}
	cfg := c64prg.Config{Host: o.Host, Port: o.Port, Code: o.Code}
	if o.Choose {
		cfg.Link = c64prg.LinkAsk
	}
	if o.Line != nil {
		if !o.Untold {
			cfg.Link = c64prg.LinkACIA
			cfg.Baud, _ = c64prg.BaudNumber(o.Line.o.Baud)
		}
		at = &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 6464} // not used
	}
	if cfg.Host == "" {
		cfg.Host = at.IP.String()
	}
	if cfg.Port == 0 {
		cfg.Port = uint16(at.Port)
	}
	prg, err := c64prg.Patch(c64prg.Program(), cfg)
	c.must(err)
	return prg
}

// leave switches the machine off.
func (c *C64) leave() {
	if c.t.Failed() {
		c.t.Logf("the screen at the end, after %s:\n%s", c.Now().Round(time.Millisecond), c.Dump())
	}
	if notes := c.breaches(); len(notes) > 0 {
		c.t.Errorf("rules of the hardware were broken:\n%s", strings.Join(notes, "\n"))
	}
	c.M.Close()
}

// breaches are the rules of the hardware that were broken. Firmware that closes
// a program's sockets at a reset cannot be told apart by the program: there a
// CLOSE of what is closed already is none.
func (c *C64) breaches() []string {
	if !c.reset || c.line != nil || !c.M.UCI().Profile().OwnSockets {
		return c.M.Notes()
	}
	return slices.DeleteFunc(slices.Clone(c.M.Notes()), func(n string) bool { return strings.Contains(n, "which is not open") })
}

// Reset presses the reset button and loads and starts the program again, as the
// Ultimate does. The lines in RAM are made unreadable first, so that what the
// Paper then finds was written by the restarted program.
func (c *C64) Reset() {
	c.t.Helper()
	for i := range ringLines * lineCols {
		c.M.Poke(uint16(ringAt+i), 0xff)
	}
	c.reset = true
	c.M.Reset()
	c.must(c.M.Load(c.prg))
	c.Paper = newPaper(c.M)
	c.Wait("coding agent for your c64", time.Second)
}

func (c *C64) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatalf("stage: %v", err)
	}
}

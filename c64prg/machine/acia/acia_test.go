package acia

import (
	"bytes"
	"testing"

	"github.com/prompt64/prompt64/appliance/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// bench is a device whose registers a test uses at its own time.
type bench struct {
	t *testing.T
	*Device
	now      uint64
	breaches []string
}

func newBench(t *testing.T, cfg Config) *bench {
	b := &bench{t: t}
	cfg.Violate = func(what string) { b.breaches = append(b.breaches, what) }
	b.Device = New(cfg)
	return b
}

func (b *bench) run(cycles uint64) {
	b.now += cycles
	b.Advance(b.now)
}

func (b *bench) get(reg byte) byte {
	b.t.Helper()
	b.Advance(b.now)
	v, ok := b.Load(reg, b.now)
	if !ok {
		b.t.Errorf("register %d is not there", reg)
	}
	return v
}

func (b *bench) set(reg, v byte) {
	b.Advance(b.now)
	b.Store(reg, v, b.now)
}

// start chooses 8N1 at 38400 with the receive interrupt, as drivers do.
func (b *bench) start() {
	b.set(regControl, 0x1f)
	b.set(regCommand, 0x09)
}

func (b *bench) send(s string) {
	b.t.Helper()
	if _, err := b.Port().Write([]byte(s)); err != nil {
		b.t.Error(err)
	}
}

// got is what the far end has received so far.
func (b *bench) got() string {
	p := b.Port()
	p.mu.Lock()
	defer p.mu.Unlock()
	return string(p.toHost)
}

func (b *bench) want(what string, got, want any) {
	b.t.Helper()
	if got != want {
		b.t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// byteTime is a byte at 38400 on PAL, in whole cycles.
const byteTime = 985248 * 10 / 38400

func TestBytesTakeTheTimeOfTheirBaudRate(t *testing.T) {
	for control, baud := range map[byte]uint64{0x1f: 38400, 0x1e: 19200, 0x1c: 9600, 0x1a: 4800, 0x18: 2400} {
		b := newBench(t, Config{})
		b.set(regControl, control)
		b.set(regCommand, 0x09)
		b.send(string(make([]byte, 100)))
		from, n := b.now, 0
		for n < 100 {
			b.run(1)
			if b.get(regStatus)&statusRDRF != 0 {
				b.get(regData)
				n++
			}
		}
		exact := 100 * 10 * 985248 / baud
		if took := b.now - from; took < exact || took > exact+idlePoll+2 {
			t.Errorf("%d baud: 100 bytes took %d cycles, want %d", baud, took, exact)
		}
	}
}

func TestReadingTheStatusEndsTheInterruptAndReadingTheDataTheByte(t *testing.T) {
	b := newBench(t, Config{})
	b.start()
	b.want("idle", b.get(regStatus), byte(statusTDRE))
	b.send("A")
	b.run(2 * byteTime)
	b.want("NMI", b.NMI(), true)
	b.want("IRQ", b.IRQ(), false)
	b.want("status", b.get(regStatus), byte(statusIRQ|statusRDRF|statusTDRE))
	b.want("NMI after the status", b.NMI(), false)
	b.want("status again", b.get(regStatus), byte(statusRDRF|statusTDRE))
	b.want("data", b.get(regData), byte('A'))
	b.want("status after the data", b.get(regStatus), byte(statusTDRE))
	b.want("data stays", b.get(regData), byte('A'))
}

func TestSecondByteOverrunsAndIsLost(t *testing.T) {
	b := newBench(t, Config{})
	b.start()
	b.send("ABC")
	b.run(10 * byteTime)
	b.want("status", b.get(regStatus)&^statusIRQ, byte(statusRDRF|statusOverrun|statusTDRE))
	b.want("data", b.get(regData), byte('A'))
	b.want("status then", b.get(regStatus), byte(statusTDRE))
	b.want("lost", b.Overruns(), uint64(2))
	b.send("D")
	b.run(3 * byteTime)
	b.want("the next", b.get(regData), byte('D'))
}

func TestRTSHoldsTheOtherEndAfterItsOvershoot(t *testing.T) {
	b := newBench(t, Config{Overshoot: 3})
	b.start()
	b.want("CTS there", b.Port().CTS(), true)
	b.set(regCommand, 0x01)
	b.want("CTS there", b.Port().CTS(), false)
	b.send("ABCDEFGH")
	read := func() (s string) {
		for range 20 {
			b.run(byteTime)
			if b.get(regStatus)&statusRDRF != 0 {
				s += string(b.get(regData))
			}
		}
		return s
	}
	b.want("held", read(), "ABC")
	b.set(regCommand, 0x09)
	b.want("released", read(), "DEFGH")
	b.want("lost", b.Overruns(), uint64(0))
}

func TestRTSOffStopsTheTransmitterOfAReal6551(t *testing.T) {
	b := newBench(t, Config{})
	b.start()
	b.set(regData, 'A')
	b.want("TDRE, shifting", b.get(regStatus), byte(statusTDRE))
	b.set(regData, 'B')
	b.want("TDRE, both full", b.get(regStatus), byte(0))
	b.set(regCommand, 0x01)
	b.run(10 * byteTime)
	b.want("the byte in flight", b.got(), "A")
	b.want("TDRE, stopped", b.get(regStatus), byte(0))
	b.set(regCommand, 0x09)
	b.run(2 * byteTime)
	b.want("then", b.got(), "AB")
	b.want("breaches", len(b.breaches), 0)
	b.set(regData, 'C')
	b.set(regData, 'D')
	b.set(regData, 'E')
	b.want("breaches", len(b.breaches), 1)
	b.run(10 * byteTime)
	b.want("one is lost", b.got(), "ABCE")
}

func TestUltimateBuffersAndGoesOnSending(t *testing.T) {
	b := newBench(t, Config{Profile: Ultimate})
	b.start()
	b.set(regCommand, 0x01)
	for i := range 255 {
		b.set(regData, byte(i))
	}
	b.want("breaches", len(b.breaches), 0)
	b.run(300 * byteTime)
	b.want("sent", len(b.got()), 255)
	b.send(string(bytes.Repeat([]byte("x"), 300)))
	b.run(10 * byteTime)
	b.want("held", b.get(regStatus)&statusRDRF, byte(0))
	if n, _ := b.Port().Queued(); n != 45 {
		t.Errorf("%d bytes left outside", n)
	}
	b.set(regCommand, 0x09)
	b.run(10 * byteTime)
	b.want("overrun without pushback", b.get(regStatus)&statusOverrun, byte(statusOverrun))
}

func TestPushbackWaitsForTheReader(t *testing.T) {
	b := newBench(t, Config{Profile: UltimatePushback})
	b.start()
	b.send("ABC")
	got := ""
	for range 3 {
		b.run(50 * byteTime)
		got += string(b.get(regData))
	}
	b.want("all", got, "ABC")
	b.want("lost", b.Overruns(), uint64(0))
}

func TestInterruptsComeOnlyAsTheCommandAllows(t *testing.T) {
	cases := map[string]struct {
		command  byte
		rx, tx   bool
		received bool
	}{
		"receive":         {0x09, true, false, true},
		"no receive":      {0x0b, false, false, true},
		"transmit":        {0x07, false, true, true},
		"transmit and rx": {0x05, true, true, true},
		"DTR off":         {0x08, false, false, false},
	}
	for name, c := range cases {
		b := newBench(t, Config{IRQ: true})
		b.set(regControl, 0x1f)
		b.set(regCommand, c.command)
		b.want(name+": empty", b.IRQ(), c.tx)
		b.get(regStatus)
		b.set(regData, 'A')
		b.want(name+": empty again", b.IRQ(), c.tx)
		b.get(regStatus)
		b.send("X")
		b.run(3 * byteTime)
		b.want(name+": received", b.get(regStatus)&statusRDRF != 0, c.received)
	}
	for _, command := range []byte{0x09, 0x0b} {
		b := newBench(t, Config{})
		b.set(regControl, 0x1f)
		b.set(regCommand, command)
		b.send("X")
		b.run(3 * byteTime)
		b.want("NMI", b.NMI(), command == 0x09)
	}
}

func TestWritingTheStatusResetsTheChipButNotItsSpeed(t *testing.T) {
	b := newBench(t, Config{})
	b.start()
	b.send("ABC")
	b.run(10 * byteTime)
	b.set(regStatus, 0)
	b.want("command", b.get(regCommand), byte(cmdReset))
	b.want("control", b.get(regControl), byte(0x1f))
	b.want("overrun", b.get(regStatus)&statusOverrun, byte(0))
	b.want("NMI", b.NMI(), false)
	b.want("CTS there", b.Port().CTS(), false)
}

func TestRockwellsResetLeavesNothingInTheCommand(t *testing.T) {
	b := newBench(t, Config{Rockwell: true})
	b.start()
	b.set(regStatus, 0)
	b.want("command", b.get(regCommand), byte(0))
}

func TestResetLineStopsEverythingAndLeavesTheLine(t *testing.T) {
	b := newBench(t, Config{})
	b.start()
	b.send("ABC")
	b.run(byteTime / 2)
	b.Reset()
	b.run(100 * byteTime)
	b.want("control", b.get(regControl), byte(0))
	b.want("status", b.get(regStatus), byte(statusTDRE))
	b.start()
	b.run(3 * byteTime)
	b.want("what was not on its way", b.get(regData), byte('B'))
}

func TestCarrierShowsAndInterrupts(t *testing.T) {
	b := newBench(t, Config{})
	b.start()
	b.SetCarrier(false)
	b.want("NMI", b.NMI(), true)
	b.want("status", b.get(regStatus), byte(statusIRQ|statusDCD|statusDSR|statusTDRE))
	b.SetCarrier(false)
	b.want("no change", b.NMI(), false)
	b.SetCarrier(true)
	b.want("back", b.get(regStatus), byte(statusIRQ|statusTDRE))
}

func TestRegistersAreWhereTheCartridgeHasThem(t *testing.T) {
	swift, turbo := newBench(t, Config{}), newBench(t, Config{Profile: Turbo232})
	swift.set(0xf7, 0x1e)
	swift.want("mirror", swift.get(regControl), byte(0x1e))
	if _, ok := turbo.Load(0x10, 0); ok {
		t.Error("a Turbo232 has no mirror")
	}
	turbo.set(regControl, 0x10)
	turbo.set(regFast, 1)
	turbo.want("fast", turbo.get(regFast), byte(5))
	turbo.want("its speed", turbo.baud(), 115200)
	turbo.set(regControl, 0x1f)
	turbo.want("not fast", turbo.get(regFast), byte(1))
	turbo.want("its speed", turbo.baud(), 38400)
	if v := swift.baud(); v != 19200 {
		t.Errorf("%d", v)
	}
}

func TestWrongSpeedIsGarbageBothWays(t *testing.T) {
	b := newBench(t, Config{LineBaud: 9600})
	b.start()
	const text = "HELLO FROM THE WRONG SPEED"
	b.send(text)
	var got []byte
	framing := byte(0)
	for range len(text) * 3 {
		b.run(byteTime)
		if s := b.get(regStatus); s&statusRDRF != 0 {
			framing |= s & statusFraming
			got = append(got, b.get(regData))
		}
	}
	if string(got) == text || framing == 0 {
		t.Errorf("%q, framing %d", got, framing)
	}
	for i := range len(text) {
		b.set(regData, text[i])
		b.run(byteTime + 2)
	}
	if b.got() == text {
		t.Error("the far end read it")
	}
}

// Nobody reads the far end: its CTS stops the chip, and no byte is lost.
func TestFarEndThatDoesNotReadStopsTheTransmitter(t *testing.T) {
	b := newBench(t, Config{})
	b.start()
	sent := 0
	for range buffer * 2 {
		b.run(byteTime + 1)
		if b.get(regStatus)&statusTDRE != 0 {
			b.set(regData, byte(sent))
			sent++
		}
	}
	if sent != buffer+1 { // one waits in the chip, its shift register is empty
		t.Errorf("%d bytes taken", sent)
	}
	buf := make([]byte, buffer)
	if n, err := b.Port().Read(buf); n != buffer || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	b.run(3 * byteTime)
	if got := b.got(); len(got) != 1 || got[0] != byte(sent-1) {
		t.Errorf("% x", got)
	}
}

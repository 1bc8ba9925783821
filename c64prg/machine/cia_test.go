package machine

import "testing"

// cia1 is a bare chip for tests of registers.
func (m *Machine) poke1(r, v byte, now uint64)   { m.ciaStore(0, r, v, now) }
func (m *Machine) peek1(r byte, now uint64) byte { return m.ciaLoad(0, r, now) }
func fresh(t *testing.T) *Machine                { m := New(Options{}); t.Cleanup(m.Close); return m }
func (m *Machine) timerA(now uint64) (v uint16) {
	return uint16(m.peek1(4, now)) | uint16(m.peek1(5, now))<<8
}
func (m *Machine) timerB(now uint64) (v uint16) {
	return uint16(m.peek1(6, now)) | uint16(m.peek1(7, now))<<8
}
func (m *Machine) setA(latch uint16, ctrl byte) {
	m.poke1(4, byte(latch), 0)
	m.poke1(5, byte(latch>>8), 0)
	m.poke1(14, ctrl, 0)
}
func (m *Machine) setB(latch uint16, ctrl byte) {
	m.poke1(6, byte(latch), 0)
	m.poke1(7, byte(latch>>8), 0)
	m.poke1(15, ctrl, 0)
}

func TestTimerCountsSystemCycles(t *testing.T) {
	m := fresh(t)
	m.setA(1000, 0x11)
	if v := m.timerA(400); v != 600 {
		t.Errorf("after 400 cycles it is %d", v)
	}
	if v := m.timerA(1001 + 400); v != 600 {
		t.Errorf("a period of 1001 later it is %d", v)
	}
	if f := m.peek1(13, 1500); f != icrTA {
		t.Errorf("flags $%02X, want timer A without an interrupt", f)
	}
	if f := m.peek1(13, 1500); f != 0 {
		t.Errorf("flags $%02X behind the read", f)
	}
}

func TestOneShotTimerStops(t *testing.T) {
	m := fresh(t)
	m.setA(100, 0x19)
	if v := m.timerA(5000); v != 100 {
		t.Errorf("it holds %d, want its latch", v)
	}
	if c := m.peek1(14, 5000); c&1 != 0 {
		t.Error("the start bit is still set")
	}
}

func TestStoppedTimerKeepsItsValue(t *testing.T) {
	m := fresh(t)
	m.setA(1000, 0x11)
	m.poke1(14, 0x00, 300)
	if v := m.timerA(9000); v != 700 {
		t.Errorf("it holds %d, want 700", v)
	}
	m.poke1(14, 0x01, 10000)
	if v := m.timerA(10100); v != 600 {
		t.Errorf("it goes on at %d, want 600", v)
	}
}

func TestTimerBCountsUnderflowsOfA(t *testing.T) {
	m := fresh(t)
	m.setA(99, 0x11)
	m.setB(9, 0x51)
	if v := m.timerB(450); v != 5 {
		t.Errorf("after four underflows it is %d", v)
	}
	if f := m.peek1(13, 999); f != icrTA {
		t.Errorf("flags $%02X in cycle 999", f)
	}
	if f := m.peek1(13, 1000); f != icrTA|icrTB {
		t.Errorf("flags $%02X in cycle 1000, want both", f)
	}
}

func TestTimerOnCNTStandsStill(t *testing.T) {
	m := fresh(t)
	m.setA(50, 0x31)
	m.setB(50, 0x31)
	if m.timerA(1000) != 50 || m.timerB(1000) != 50 {
		t.Error("a timer counted pulses that are not there")
	}
}

func TestMaskDecidesWhatInterrupts(t *testing.T) {
	m := fresh(t)
	m.poke1(13, 0x82, 0) // timer B only
	m.setA(10, 0x11)
	m.cia[0].advance(100)
	if m.cia[0].irq {
		t.Error("timer A interrupted")
	}
	m.poke1(13, 0x81, 100) // and now A: its flag is still set
	if !m.cia[0].irq {
		t.Error("a waiting flag did not interrupt once it was let through")
	}
	m.poke1(13, 0x7f, 100)
	if f := m.peek1(13, 100); f&0x80 == 0 {
		t.Errorf("flags $%02X: the interrupt was lost before it was read", f)
	}
	m.cia[0].advance(1000)
	if m.cia[0].irq {
		t.Error("a masked timer interrupted")
	}
}

func TestTimerInterruptReachesTheCPU(t *testing.T) {
	// CIA 1's timer A every 1000 cycles; the handler counts in $2000.
	head := join(banks(0x35), put(0xdc0d, 0x7f), put(0xfffe, 0x00), put(0xffff, 0x30), put(0x2000, 0),
		put(0xdc04, 0xe7), put(0xdc05, 0x03), put(0xdc0e, 0x11))
	handler := []byte{0xee, 0x00, 0x20, 0xad, 0x0d, 0xdc, 0x40}
	for i, b := range handler {
		head = append(head, put(0x3000+uint16(i), b)...)
	}
	m := started(t, Options{}, 1, join(head, copyByte(0xdc0d, 0x2001), put(0xdc0d, 0x81), []byte{0x58})...)
	before := m.Peek(0x2000)
	if err := m.Run(100_000); err != nil {
		t.Fatal(err)
	}
	if n := m.Peek(0x2000) - before; n < 99 || n > 101 {
		t.Errorf("%d interrupts in 100 periods", n)
	}
}

func TestCIA2PullsNMIOncePerEdge(t *testing.T) {
	// Timer A of CIA 2 underflows again and again, but nobody reads $DD0D: one NMI.
	head := join(banks(0x35), put(0xfffa, 0x00), put(0xfffb, 0x30), put(0x2000, 0), put(0x3000, 0xee), put(0x3001, 0x00),
		put(0x3002, 0x20), put(0x3003, 0x40), put(0xdd04, 100), put(0xdd05, 0), put(0xdd0d, 0x81), put(0xdd0e, 0x11))
	m := started(t, Options{}, 5, head...)
	m.want(t, 0x2000, 1)
	m.ciaLoad(1, 13, m.clk)
	m.updateLines()
	if err := m.RunFrames(2); err != nil {
		t.Fatal(err)
	}
	m.want(t, 0x2000, 2)
}

func TestRestoreIsAnNMIEachTime(t *testing.T) {
	head := join(banks(0x35), put(0xfffa, 0x00), put(0xfffb, 0x30), put(0x2000, 0), put(0x3000, 0xee), put(0x3001, 0x00),
		put(0x3002, 0x20), put(0x3003, 0x40))
	m := started(t, Options{}, 2, head...)
	for range 3 {
		m.Restore()
		if err := m.RunFrames(1); err != nil {
			t.Fatal(err)
		}
	}
	m.want(t, 0x2000, 3)
}

func TestTimeOfDayFollowsTheMains(t *testing.T) {
	for _, std := range standards {
		m := New(Options{Standard: std})
		if std.Mains == 50 {
			m.poke1(14, 0x80, 0)
		}
		for i, v := range []byte{0x91, 0x59, 0x59, 0x08} { // 11:59:59.8 PM: hours first
			m.poke1(byte(11-i), v, 0)
		}
		now := std.Hz * 3 / 10
		if h := m.peek1(11, now); h != 0x12 {
			t.Errorf("%s: hours $%02X, want 12 AM", std.Name, h)
		}
		if s := m.peek1(9, now+std.Hz*5); s != 0 {
			t.Errorf("%s: the reading is not frozen: seconds $%02X", std.Name, s)
		}
		if d := m.peek1(8, now+std.Hz*5); d != 1 {
			t.Errorf("%s: tenths $%02X, want 1", std.Name, d)
		}
		if s := m.peek1(9, now+std.Hz*5); s != 5 {
			t.Errorf("%s: seconds $%02X once it is let go, want 5", std.Name, s)
		}
		m.Close()
	}
}

func TestAlarmRaisesItsFlag(t *testing.T) {
	m := fresh(t)
	m.poke1(14, 0x80, 0)
	m.poke1(15, 0x80, 0)
	m.poke1(8, 5, 0) // alarm at 1:00:00.5 (hours as they are)
	m.poke1(11, 1, 0)
	m.poke1(15, 0x00, 0)
	m.poke1(11, 1, 0)
	m.poke1(8, 0, 0)
	m.poke1(13, 0x84, 0)
	m.cia[0].advance(PAL.Hz * 4 / 10)
	if m.cia[0].irq {
		t.Error("too early")
	}
	m.cia[0].advance(PAL.Hz * 6 / 10)
	if !m.cia[0].irq {
		t.Error("the alarm did not interrupt")
	}
}

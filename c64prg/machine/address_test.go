package machine

import (
	"testing"

	"pgregory.net/rapid"
)

// TestAddressingModesReachTheRightPlace loads and stores through every mode,
// with operands drawn at random, among them those that wrap in the zero page
// and at the end of memory.
func TestAddressingModesReachTheRightPlace(t *testing.T) {
	m := fresh(t)
	m.port.data = 0x34
	m.remap()
	zp := func(b byte) uint16 { return uint16(b) }
	word := func(at byte) uint16 { return uint16(m.ram[at]) | uint16(m.ram[at+1])<<8 }
	modes := map[string]struct {
		load, store byte
		wide        bool
		reach       func(op uint16, x, y byte) uint16
	}{
		"zp":     {0xa5, 0x85, false, func(op uint16, _, _ byte) uint16 { return op & 0xff }},
		"zp,X":   {0xb5, 0x95, false, func(op uint16, x, _ byte) uint16 { return zp(byte(op) + x) }},
		"abs":    {0xad, 0x8d, true, func(op uint16, _, _ byte) uint16 { return op }},
		"abs,X":  {0xbd, 0x9d, true, func(op uint16, x, _ byte) uint16 { return op + uint16(x) }},
		"abs,Y":  {0xb9, 0x99, true, func(op uint16, _, y byte) uint16 { return op + uint16(y) }},
		"(zp,X)": {0xa1, 0x81, false, func(op uint16, x, _ byte) uint16 { return word(byte(op) + x) }},
		"(zp),Y": {0xb1, 0x91, false, func(op uint16, _, y byte) uint16 { return word(byte(op)) + uint16(y) }},
	}
	names := []string{"zp", "zp,X", "abs", "abs,X", "abs,Y", "(zp,X)", "(zp),Y"}
	rapid.Check(t, func(t *rapid.T) {
		mode := modes[rapid.SampledFrom(names).Draw(t, "mode")]
		op := rapid.Uint16().Draw(t, "operand")
		x, y := rapid.Byte().Draw(t, "x"), rapid.Byte().Draw(t, "y")
		for i := 2; i < 0x100; i++ {
			m.ram[i] = byte(i*37 + int(x))
		}
		at := mode.reach(op, x, y)
		if at < 2 || at >= 0x4000 && at < 0x4003 {
			return // the CPU's port, or the instruction itself
		}
		m.ram[at] = 0x5a
		at = mode.reach(op, x, y) // the byte may have been part of the pointer
		if at < 2 || at >= 0x4000 && at < 0x4003 {
			return
		}
		r := &m.cpu.Reg
		step := func(opcode byte) {
			m.ram[0x4000], m.ram[0x4001], m.ram[0x4002] = opcode, byte(op), byte(op>>8)
			r.PC, r.X, r.Y = 0x4000, x, y
			m.cpu.Step()
		}
		want := m.ram[at]
		r.A = ^want
		step(mode.load)
		if r.A != want {
			t.Fatalf("loads $%02X, want $%02X of $%04X", r.A, want, at)
		}
		r.A = ^want
		step(mode.store)
		if m.ram[at] != ^want {
			t.Fatalf("$%04X holds $%02X, want $%02X", at, m.ram[at], ^want)
		}
	})
}

func TestStackWrapsInItsPage(t *testing.T) {
	m := fresh(t)
	m.port.data = 0x34
	m.remap()
	copy(m.ram[0x1000:], []byte{0x20, 0x00, 0x20})
	m.ram[0x2000] = 0x60
	m.cpu.Reg.PC, m.cpu.Reg.SP = 0x1000, 0x00
	m.cpu.Step()
	m.want(t, 0x0100, 0x10)
	m.want(t, 0x01ff, 0x02)
	m.cpu.Step()
	if m.cpu.Reg.PC != 0x1003 || m.cpu.Reg.SP != 0x00 {
		t.Errorf("back at $%04X with SP $%02X", m.cpu.Reg.PC, m.cpu.Reg.SP)
	}
}

func TestBusStoresWordsAsTheCPUWould(t *testing.T) {
	m := fresh(t)
	m.bus.StoreAddress(0x20ff, 0x1234)
	m.want(t, 0x20ff, 0x34)
	m.want(t, 0x2000, 0x12)
	m.bus.StoreBytes(0x3000, []byte{1, 2, 3})
	m.want(t, 0x3000, 1, 2, 3)
	if got := m.bus.LoadAddress(0x20ff); got != 0x1234 {
		t.Errorf("$%04X", got)
	}
}

package machine

import (
	"testing"

	"github.com/beevik/go6502/cpu"
)

// alu runs one instruction on go6502 with registers and flags given.
type alu struct {
	m *Machine
}

func newALU(t *testing.T) *alu {
	m := fresh(t)
	m.port.data = 0x34
	m.remap()
	return &alu{m}
}

func (a *alu) run(setup func(r *cpu.Registers), code ...byte) cpu.Registers {
	copy(a.m.ram[0x1000:], code)
	r := &a.m.cpu.Reg
	r.Init()
	setup(r)
	r.PC = 0x1000
	a.m.cpu.Step()
	return *r
}

// flags in the order of the status byte's letters that matter here.
func flags(n, v, z, c bool) string {
	out := ""
	for _, f := range []struct {
		on   bool
		name string
	}{{n, "N"}, {v, "V"}, {z, "Z"}, {c, "C"}} {
		if f.on {
			out += f.name
		}
	}
	return out
}

func flagsOf(r cpu.Registers) string { return flags(r.Sign, r.Overflow, r.Zero, r.Carry) }

// TestAddAndSubtractAgainstArithmetic tries every pair of bytes with and without
// carry: the program's sequence numbers and pointers stand on them.
func TestAddAndSubtractAgainstArithmetic(t *testing.T) {
	a := newALU(t)
	for x := range 256 {
		for y := range 256 {
			for c := range 2 {
				set := func(r *cpu.Registers) { r.A, r.Carry = byte(x), c == 1 }
				check := func(name string, got cpu.Registers, sum, signed int, carry bool) {
					v := byte(sum)
					want := cpu.Registers{Sign: v >= 128, Overflow: signed < -128 || signed > 127, Zero: v == 0, Carry: carry}
					if got.A != v || got.Sign != want.Sign || got.Overflow != want.Overflow || got.Zero != want.Zero || got.Carry != carry {
						t.Fatalf("%s $%02X,$%02X carry %d: $%02X %s, want $%02X %s", name, x, y, c, got.A, flagsOf(got), v, flagsOf(want))
					}
				}
				sx, sy := int(int8(x)), int(int8(y))
				check("ADC", a.run(set, 0x69, byte(y)), x+y+c, sx+sy+c, x+y+c > 255)
				check("SBC", a.run(set, 0xe9, byte(y)), x-y-1+c, sx-sy-1+c, x-y-1+c >= 0)
			}
		}
	}
}

func TestCompareAgainstArithmetic(t *testing.T) {
	a := newALU(t)
	for x := range 256 {
		for y := range 256 {
			want := flags(byte(x-y) >= 128, false, x == y, x >= y)
			set := func(r *cpu.Registers) { r.A, r.X, r.Y = byte(x), byte(x), byte(x) }
			for name, op := range map[string]byte{"CMP": 0xc9, "CPX": 0xe0, "CPY": 0xc0} {
				if got := flagsOf(a.run(set, op, byte(y))); got != want {
					t.Fatalf("%s $%02X,$%02X: %q, want %q", name, x, y, got, want)
				}
			}
		}
	}
}

func TestShiftsAndRotates(t *testing.T) {
	a := newALU(t)
	for x := range 256 {
		for c := range 2 {
			set := func(r *cpu.Registers) { r.A, r.Carry = byte(x), c == 1 }
			for name, s := range map[string]struct {
				op    byte
				value int
				carry bool
			}{
				"ASL": {0x0a, x << 1, x&0x80 != 0},
				"LSR": {0x4a, x >> 1, x&1 != 0},
				"ROL": {0x2a, x<<1 | c, x&0x80 != 0},
				"ROR": {0x6a, x>>1 | c<<7, x&1 != 0},
			} {
				v := byte(s.value)
				got := a.run(set, s.op)
				if got.A != v || flagsOf(got) != flags(v >= 128, false, v == 0, s.carry) {
					t.Fatalf("%s $%02X carry %d: $%02X %s", name, x, c, got.A, flagsOf(got))
				}
			}
		}
	}
}

func TestDecimalAddAndSubtractOfBCDNumbers(t *testing.T) {
	a := newALU(t)
	bcd := func(n int) byte { return byte(n/10<<4 | n%10) }
	for x := range 100 {
		for y := range 100 {
			for c := range 2 {
				set := func(r *cpu.Registers) { r.A, r.Carry, r.Decimal = bcd(x), c == 1, true }
				sum := x + y + c
				if got := a.run(set, 0x69, bcd(y)); got.A != bcd(sum%100) || got.Carry != (sum > 99) {
					t.Fatalf("%d + %d + %d: $%02X carry %v", x, y, c, got.A, got.Carry)
				}
				diff := x - y - 1 + c
				if got := a.run(set, 0xe9, bcd(y)); got.A != bcd((diff+100)%100) || got.Carry != (diff >= 0) {
					t.Fatalf("%d - %d - %d: $%02X carry %v", x, y, 1-c, got.A, got.Carry)
				}
			}
		}
	}
}

func TestBitTakesFlagsFromMemory(t *testing.T) {
	a := newALU(t)
	for x := range 256 {
		a.m.ram[0x20] = byte(x)
		got := a.run(func(r *cpu.Registers) { r.A = 0x0f }, 0x24, 0x20)
		if flagsOf(got) != flags(x&0x80 != 0, x&0x40 != 0, x&0x0f == 0, false) {
			t.Fatalf("BIT $%02X: %s", x, flagsOf(got))
		}
	}
}

// TestStatusSurvivesPushAndPull: PHP sets B, PLP and RTI ignore it.
func TestStatusSurvivesPushAndPull(t *testing.T) {
	a := newALU(t)
	for p := range 256 {
		set := func(r *cpu.Registers) { r.RestorePS(byte(p)); r.SP = 0xf0 }
		a.run(set, 0x08)
		if got := a.m.ram[0x1f0]; got != byte(p)|0x30 {
			t.Fatalf("PHP of $%02X pushes $%02X", p, got)
		}
		a.m.ram[0x1f1] = byte(p)
		got := a.run(func(r *cpu.Registers) { r.SP = 0xf0 }, 0x28)
		if got.SavePS(false) != byte(p)&^0x10|0x20 {
			t.Fatalf("PLP of $%02X gives $%02X", p, got.SavePS(false))
		}
	}
}

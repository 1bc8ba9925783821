package machine

import "testing"

// bell is a device that pulls NMI once, at a time, and has one register.
type bell struct {
	at, next uint64
	nmi      bool
	reg      byte
	resets   int
}

var _ Expansion = (*bell)(nil)

func (b *bell) Load(reg byte, _ uint64) (byte, bool) {
	if reg == 0 {
		b.nmi = false
	}
	return b.reg, reg < 4
}
func (b *bell) Store(_, v byte, now uint64) { b.reg, b.next = v, now+b.at }
func (b *bell) Advance(now uint64) {
	if now >= b.next {
		b.nmi, b.next = true, never
	}
}
func (b *bell) Next() uint64 { return b.next }
func (b *bell) IRQ() bool    { return false }
func (b *bell) NMI() bool    { return b.nmi }
func (b *bell) Reset()       { b.resets++; b.next = never }

func TestDeviceAtDE00PullsNMIAtItsTime(t *testing.T) {
	m := New(Options{})
	defer m.Close()
	dev := &bell{at: 1000, next: never}
	m.Attach(dev)
	// NMI at $3000: LDA $DE00, STA $2000, RTI
	code := join(banks(0x35), put(0xfffa, 0x00), put(0xfffb, 0x30), put(0x2000, 0))
	for i, b := range append(copyByte(0xde00, 0x2000), 0x40) {
		code = append(code, put(0x3000+uint16(i), b)...)
	}
	code = join(code, put(0xde02, 0x5a), copyByte(0xde07, 0x2001))
	if err := m.Load(program(loop(code)...)); err != nil {
		t.Fatal(err)
	}
	if err := m.Run(900); err != nil {
		t.Fatal(err)
	}
	m.want(t, 0x2000, 0x00, 0xff) // not yet; where it has no register the bus is open
	if err := m.Run(2000); err != nil {
		t.Fatal(err)
	}
	m.want(t, 0x2000, 0x5a)
	m.Reset()
	if dev.resets != 1 {
		t.Error("the reset line did not reach it")
	}
}

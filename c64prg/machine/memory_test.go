package machine

import (
	"fmt"
	"testing"

	"github.com/prompt64/prompt64/c64prg/machine/chargen"
)

// TestEightBankingModes reads $A000, $D800, $D018 and $E000 in each mode. RAM
// there holds known bytes; the ROMs' places read as the filler.
func TestEightBankingModes(t *testing.T) {
	rom := chargen.ROM()
	const basic, kernal = romFiller, romFiller
	for mode := range byte(8) {
		t.Run(fmt.Sprintf("%d", mode), func(t *testing.T) {
			code := join(banks(0x34), put(0xa000, 0x11), put(0xd008, 0x22), put(0xe000, 0x33),
				banks(0x35), put(0xd008, 0x44), banks(0x30|mode),
				copyByte(0xa000, 0x2000), copyByte(0xd008, 0x2001), copyByte(0xe000, 0x2002), banks(0x34))
			m := started(t, Options{}, 1, code...)
			a, d, e := byte(0x11), byte(0x22), byte(0x33)
			if mode&3 == 3 {
				a = basic
			}
			if mode&2 != 0 {
				e = kernal
			}
			if mode&3 != 0 {
				d = rom[8]
				if mode&4 != 0 {
					d = 0x44
				}
			}
			m.want(t, 0x2000, a, d, e)
		})
	}
}

func TestWritesGoBeneathROMAndAreCounted(t *testing.T) {
	m := started(t, Options{}, 1, join(put(0xa000, 0x5a), put(0xe000, 0xa5))...)
	m.want(t, 0xa000, 0x5a)
	m.want(t, 0xe000, 0xa5)
	if m.ROMWrites() != 2 {
		t.Errorf("%d writes counted, want 2", m.ROMWrites())
	}
}

func TestCharacterROMWritesGoBeneath(t *testing.T) {
	m := started(t, Options{}, 1, join(banks(0x33), put(0xd123, 0x77), banks(0x34), copyByte(0xd123, 0x2000))...)
	m.want(t, 0x2000, 0x77)
}

func TestPortReadsBackWhatItDrives(t *testing.T) {
	m := started(t, Options{}, 1, join(banks(0x35), copyByte(0, 0x2000), copyByte(1, 0x2001))...)
	m.want(t, 0x2000, 0x2f, 0x35)
}

// TestPortInputsArePulledUp: with the direction register cleared every line
// reads high, so that ROMs and I/O appear whatever the data says.
func TestPortInputsArePulledUp(t *testing.T) {
	m := started(t, Options{}, 1, join(banks(0x34), []byte{0xa9, 0, 0x85, 0}, copyByte(0xe000, 0x2000),
		[]byte{0xa9, 0x2f, 0x85, 0})...)
	m.want(t, 0x2000, romFiller)
}

func TestColourRAMHasFourBitsAndNoiseAbove(t *testing.T) {
	code := join(banks(0x35), put(0xd900, 0xf6))
	for i := range uint16(8) {
		code = append(code, copyByte(0xd900, 0x2000+i)...)
	}
	m := started(t, Options{}, 1, code...)
	high := map[byte]bool{}
	for i := range uint16(8) {
		v := m.Peek(0x2000 + i)
		if v&0x0f != 6 {
			t.Errorf("colour reads $%02X", v)
		}
		high[v>>4] = true
	}
	if len(high) < 2 {
		t.Error("the high nibble is steady: programs could rely on it")
	}
}

func TestPowerOnPatternFollowsTheSeed(t *testing.T) {
	a, b, c := New(Options{}), New(Options{Seed: 1}), New(Options{Seed: 2})
	if a.Peek(0x8000) != 0 || a.Peek(0x8040) != 0xff {
		t.Error("the usual stripes are missing")
	}
	same := 0
	for i := range 256 {
		if b.Peek(uint16(0x8000+i)) == c.Peek(uint16(0x8000+i)) {
			same++
		}
	}
	if same > 16 {
		t.Errorf("two seeds agree in %d of 256 bytes", same)
	}
}

// TestReadModifyWriteAcknowledges: INC $D019 clears the raster latch only
// because a 6502 writes the old value back first.
func TestReadModifyWriteAcknowledges(t *testing.T) {
	m := started(t, Options{}, 3, join(banks(0x35), put(0xd012, 1), []byte{0xad, 0x12, 0xd0, 0xd0, 0xfb},
		[]byte{0xee, 0x19, 0xd0}, copyByte(0xd019, 0x2000))...)
	if m.Peek(0x2000)&1 != 0 {
		t.Errorf("$D019 is $%02X behind INC", m.Peek(0x2000))
	}
}

// TestIndexedStoreReadsFirst: STA $DC0D,X with X = 0 reads, and so clears, the
// interrupt register.
func TestIndexedStoreReadsFirst(t *testing.T) {
	m := New(Options{})
	defer m.Close()
	m.op, m.cia[0].flags = 0x9d, icrTA
	m.cpu.Reg.X = 0
	m.ioStore(0xdc0d, 0x01)
	if m.cia[0].flags != 0 {
		t.Error("the flags survived")
	}
}

func TestIndexedLoadAcrossAPageReadsTwice(t *testing.T) {
	m := New(Options{})
	defer m.Close()
	m.op, m.cia[0].flags = 0xbd, icrTA // LDA $DCFF,X with X = $0E reads $DC0D first
	m.cpu.Reg.X = 0x0e
	m.ioLoad(0xdd0d)
	if m.cia[0].flags != 0 {
		t.Error("the place without the carry was not read")
	}
}

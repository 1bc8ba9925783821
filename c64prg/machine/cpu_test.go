package machine

import "testing"

// cyclesOf runs code once with the screen off and interrupts held, and measures
// it.
func cyclesOf(t *testing.T, code ...byte) uint64 {
	t.Helper()
	m := New(Options{})
	defer m.Close()
	head := join(banks(0x35), put(0xd011, 0), put(0x3000, 0x60))
	from := uint16(entry + len(head))
	var got uint64
	stop := m.Between(from, from+uint16(len(code)), func(n uint64) { got = n })
	defer stop()
	if err := m.Load(program(loop(join(head, code))...)); err != nil {
		t.Fatal(err)
	}
	m.Poke(0x10, 0xff)
	m.Poke(0x11, 0x20)
	m.std.Lines = 300 // any value: the point is to begin without a bad line
	if err := m.RunFrames(2); err != nil {
		t.Fatal(err)
	}
	return got
}

// TestInstructionTiming covers what go6502 must get right for the model's
// times: page crossings, stores that never save a cycle, branches, calls.
func TestInstructionTiming(t *testing.T) {
	for _, c := range []struct {
		name string
		want uint64
		code []byte
	}{
		{"LDA #", 2, []byte{0xa9, 1}},
		{"LDA abs", 4, []byte{0xad, 0, 0x20}},
		{"LDA abs,X same page", 6, []byte{0xa2, 1, 0xbd, 0, 0x20}},
		{"LDA abs,X crossing", 7, []byte{0xa2, 1, 0xbd, 0xff, 0x20}},
		{"STA abs,X", 7, []byte{0xa2, 1, 0x9d, 0, 0x20}},
		{"LDA (zp),Y same page", 7, []byte{0xa0, 0, 0xb1, 0x10}},
		{"LDA (zp),Y crossing", 8, []byte{0xa0, 1, 0xb1, 0x10}},
		{"STA (zp),Y", 8, []byte{0xa0, 0, 0x91, 0x10}},
		{"INC abs", 6, []byte{0xee, 0, 0x21}},
		{"branch not taken", 4, []byte{0xa9, 0, 0xd0, 0}},
		{"branch taken", 5, []byte{0xa9, 1, 0xd0, 0}},
		{"JSR and RTS", 12, []byte{0x20, 0x00, 0x30}},
		{"PHA PLA", 7, []byte{0x48, 0x68}},
	} {
		if got := cyclesOf(t, c.code...); got != c.want {
			t.Errorf("%s: %d cycles, want %d", c.name, got, c.want)
		}
	}
}

func TestDecimalMode(t *testing.T) {
	// SED; CLC; LDA #$58; ADC #$46; STA $2000; PHP; PLA; AND #1; STA $2001;
	// SEC; LDA #$12; SBC #$21; STA $2002; CLD
	m := started(t, Options{}, 1, 0x78, 0xf8, 0x18, 0xa9, 0x58, 0x69, 0x46, 0x8d, 0x00, 0x20, 0x08, 0x68, 0x29, 0x01, 0x8d, 0x01, 0x20,
		0x38, 0xa9, 0x12, 0xe9, 0x21, 0x8d, 0x02, 0x20, 0xd8)
	m.want(t, 0x2000, 0x04, 0x01, 0x91)
}

func TestIndirectJumpWrapsInItsPage(t *testing.T) {
	m := started(t, Options{}, 1, join(put(0x20ff, 0x00), put(0x2000, 0x30), put(0x2100, 0x40), put(0x3000, 0xa9),
		put(0x3001, 0x77), put(0x3002, 0x8d), put(0x3003, 0x50), put(0x3004, 0x21), put(0x3005, 0x4c), put(0x3006, 0x05),
		put(0x3007, 0x30), []byte{0x6c, 0xff, 0x20})...)
	m.want(t, 0x2150, 0x77)
}

// TestInterruptWaitsOneInstructionBehindCLI: CLI, SEI with an interrupt waiting
// lets it through only behind the SEI.
func TestInterruptWaitsOneInstructionBehindCLI(t *testing.T) {
	handler := []byte{0xba, 0xbd, 0x02, 0x01, 0x8d, 0x00, 0x20, 0xa9, 0x7f, 0x8d, 0x0d, 0xdc, 0xad, 0x0d, 0xdc, 0x40}
	head := join(banks(0x35), put(0xfffe, 0x00), put(0xffff, 0x30), put(0x2000, 0), put(0xdc04, 10), put(0xdc05, 0),
		put(0xdc0e, 0x19))
	for i, b := range handler {
		head = append(head, put(0x3000+uint16(i), b)...)
	}
	cli := entry + len(head)
	m := started(t, Options{}, 3, join(head, []byte{0x58, 0x78, 0xea})...)
	// The handler kept the return address's low byte: behind the SEI.
	m.want(t, 0x2000, byte(cli+2))
}

package machine

import "testing"

var standards = []Standard{PAL, NTSC}

// TestHighestRasterLineTellsTheStandard: programs detect PAL and NTSC by it.
func TestHighestRasterLineTellsTheStandard(t *testing.T) {
	for _, std := range standards {
		// X = highest $D012 seen while $D011 bit 7 is set.
		code := join(banks(0x35), []byte{
			0xa2, 0x00, // LDX #0
			0xac, 0x12, 0xd0, // LDY $D012
			0x2c, 0x11, 0xd0, // BIT $D011
			0x10, 0xf8, // BPL to LDY
			0xcc, 0x12, 0xd0, // CPY $D012
			0xd0, 0xf3, // BNE to LDY
			0x8e, 0xff, 0x20, // STX $20FF (pads the branches)
			0xec, 0x00, 0x20, // CPX $2000
			0xcc, 0x00, 0x20, // CPY $2000
			0x90, 0xe8, // BCC to LDY
			0x8c, 0x00, 0x20, // STY $2000
			0x4c, 0x14, 0x08, // JMP to LDY
		})
		m := New(Options{Standard: std})
		if err := m.Load(program(code...)); err != nil {
			t.Fatal(err)
		}
		m.Poke(0x2000, 0)
		if err := m.RunFrames(6); err != nil {
			t.Fatal(err)
		}
		m.want(t, 0x2000, byte(std.Lines-1-256))
		m.Close()
	}
}

// rasterIRQ is a program whose IRQ at a line counts in $2000 and acknowledges.
func rasterIRQ(line uint16) []byte {
	ctrl := byte(0x1b)
	if line > 255 {
		ctrl |= 0x80
	}
	head := join(banks(0x35), put(0xdc0d, 0x7f), put(0xfffe, 0x00), put(0xffff, 0x30), put(0xd012, byte(line)),
		put(0xd011, ctrl), put(0xd01a, 1), put(0x2000, 0))
	// The handler, at $3000: INC $2000, LDA $D012, STA $2001, LDA #$FF, STA $D019, RTI.
	handler := []byte{0xee, 0x00, 0x20, 0xad, 0x12, 0xd0, 0x8d, 0x01, 0x20, 0xa9, 0xff, 0x8d, 0x19, 0xd0, 0x40}
	for i, b := range handler {
		head = append(head, put(0x3000+uint16(i), b)...)
	}
	return join(head, copyByte(0xdc0d, 0x2002), []byte{0x58})
}

func TestRasterInterruptComesOnceAFrameAtItsLine(t *testing.T) {
	for _, std := range standards {
		for _, line := range []uint16{1, 100, 250, 260} {
			m := started(t, Options{Standard: std}, 2, rasterIRQ(line)...)
			before := m.Peek(0x2000)
			if err := m.RunFrames(20); err != nil {
				t.Fatal(err)
			}
			if n := m.Peek(0x2000) - before; n != 20 {
				t.Errorf("%s line %d: %d interrupts in 20 frames", std.Name, line, n)
			}
			m.want(t, 0x2001, byte(line))
		}
	}
}

func TestFrameTakesItsCycles(t *testing.T) {
	for _, std := range standards {
		m := started(t, Options{Standard: std}, 1)
		frames, clk := m.Frames(), m.Clock()
		if err := m.Run(100 * std.Frame()); err != nil {
			t.Fatal(err)
		}
		if n := m.Frames() - frames; n != 100 {
			t.Errorf("%s: %d frames in %d cycles", std.Name, n, m.Clock()-clk)
		}
	}
}

// TestBadLinesStealFortyToFortyThreeCycles compares how far a loop comes with
// the screen on and off: 25 bad lines a frame.
func TestBadLinesStealFortyToFortyThreeCycles(t *testing.T) {
	count := func(ctrl byte) uint64 {
		m := started(t, Options{}, 2, join(banks(0x35), put(0xdc0d, 0x7f), put(0xd011, ctrl))...)
		before := m.cpu.Cycles
		if err := m.RunFrames(100); err != nil {
			t.Fatal(err)
		}
		return m.cpu.Cycles - before
	}
	stolen := float64(count(0x0b)-count(0x1b)) / 100 / 25
	if stolen < 40 || stolen > 43 {
		t.Errorf("a bad line steals %.2f cycles", stolen)
	}
}

// TestStealDependsOnTheWritesInProgress: BA stops reads only.
func TestStealDependsOnTheWritesInProgress(t *testing.T) {
	for _, c := range []struct {
		op    byte
		at    uint64
		taken uint64
	}{
		{0xea, 12, 43}, // NOP ended as BA fell
		{0xea, 13, 43}, // a read was stopped in the middle
		{0x8d, 13, 42}, // STA: its write went through
		{0xee, 14, 41}, // INC: both writes went through
		{0x20, 14, 41}, // JSR: both pushes
		{0x8d, 14, 43}, // STA: its write came behind a read that was stopped
	} {
		m := New(Options{})
		m.op = c.op
		m.clk = m.vic.start + c.at
		m.steal()
		lost := m.clk - m.vic.start - c.at
		if lost != c.taken {
			t.Errorf("opcode $%02X ended in cycle %d: lost %d, want %d", c.op, c.at, lost, c.taken)
		}
		m.Close()
	}
}

func TestNoBadLinesWithoutDisplayEnable(t *testing.T) {
	m := started(t, Options{}, 2, join(banks(0x35), put(0xd011, 0x0b))...)
	if !m.Blank() {
		t.Error("the screen is on")
	}
	for m.vic.line != 0x33 {
		m.vicEvent()
	}
	if m.vic.badLine() {
		t.Error("line $33 is bad")
	}
}

func TestVICRegistersReadBackWithTheirUnusedBits(t *testing.T) {
	m := started(t, Options{}, 1, join(banks(0x35), put(0xd020, 0x02), put(0xd018, 0x16), put(0xd016, 0x08), put(0xd01a, 1),
		copyByte(0xd060, 0x2000), copyByte(0xd018, 0x2001), copyByte(0xd016, 0x2002), copyByte(0xd01a, 0x2003),
		copyByte(0xd02f, 0x2004), copyByte(0xd031, 0x2005), copyByte(0xd01e, 0x2006))...)
	m.want(t, 0x2000, 0xf2, 0x17, 0xc8, 0xf1, 0xff, 0xff, 0x00)
}

// A row's codes are those of its bad line: what changes behind it is seen in the
// next frame.
func TestFetchedIsWhatTheBeamMet(t *testing.T) {
	m := started(t, Options{}, 1, join(banks(0x35), put(0xd011, 0x1b), put(0xd018, 0x15))...)
	frames := 0
	m.EachFrame(func() { frames++ })
	m.Poke(0x0400+21*40, 1)
	if err := m.RunFrames(3); err != nil {
		t.Fatal(err)
	}
	if frames < 2 || frames > 4 {
		t.Errorf("%d frames were told", frames)
	}
	if got := m.Fetched(21)[0]; got != 1 {
		t.Errorf("fetched %d", got)
	}
	m.Poke(0x0400+21*40, 2)
	if got := m.Fetched(21)[0]; got != 1 {
		t.Errorf("fetched %d before the beam came", got)
	}
	if err := m.RunFrames(2); err != nil {
		t.Fatal(err)
	}
	if got := m.Fetched(21)[0]; got != 2 {
		t.Errorf("fetched %d", got)
	}
}

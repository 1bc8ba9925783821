package machine

import (
	"bytes"
	"image/png"
	"testing"

	"github.com/prompt64/prompt64/c64prg/machine/chargen"
)

// shows compares eight pixels of the last frame: x and y in the text window.
func (m *Machine) shows(t *testing.T, x, y int, bits byte, ink, paper byte) {
	t.Helper()
	top := 51 - m.std.top
	for i := range 8 {
		want := paper
		if bits&(0x80>>i) != 0 {
			want = ink
		}
		if got := m.vic.done[(top+y)*width+left*8+x+i]; got != want {
			t.Errorf("pixel %d,%d is %d, want %d", x+i, y, got, want)
		}
	}
}

func TestTextShowsWhereItStands(t *testing.T) {
	rom := chargen.ROM()
	for _, std := range standards {
		m := started(t, Options{Standard: std}, 3, join(banks(0x35), put(0xd018, 0x17), put(0x0400, 1), put(0xd800, 5),
			put(0x0400+24*40+39, 0x81), put(0xd800+24*40+39, 7), put(0xd021, 11))...)
		for row := range 8 {
			a := rom[2048+8+row]
			m.shows(t, 0, row, a, 5, 11)
			m.shows(t, 39*8, 24*8+row, ^a, 7, 11)
		}
	}
}

func TestFontInRAMShows(t *testing.T) {
	m := started(t, Options{}, 3, join(banks(0x35), put(0xd018, 0x1c), put(0x3008, 0xa5), put(0x0400, 1), put(0xd800, 2))...)
	m.shows(t, 0, 0, 0xa5, 2, 6)
	if text := m.Text(); !text.RAMFont || text.Font[8] != 0xa5 || text.Codes[0] != 1 || text.Colours[0] != 2 {
		t.Errorf("text: RAM font %v, $%02X", text.RAMFont, text.Font[8])
	}
}

// TestCharacterROMShowsInBanksZeroAndTwoOnly: the VIC-II sees RAM at $5000.
func TestCharacterROMShowsInBanksZeroAndTwoOnly(t *testing.T) {
	rom := chargen.ROM()
	for bank, inROM := range map[byte]bool{0: true, 1: false, 2: true, 3: false} {
		base := uint16(bank) << 14
		code := join(banks(0x35), put(0xdd00, 3-bank), put(0xd018, 0x15), put(0xd800, 1), []byte{0x78, 0xa9, 0x34, 0x85, 1},
			put(base+0x400, 1), put(base+0x1008, 0x3c), banks(0x35))
		m := started(t, Options{}, 3, code...)
		want := byte(0x3c)
		if inROM {
			want = rom[8]
		}
		m.shows(t, 0, 0, want, 1, 6)
	}
}

func TestBorderChangesInTheMiddleOfAFrame(t *testing.T) {
	// Wait for line $80 and 16 cycles, border red; wait for line $C0, border black; again.
	code := join(banks(0x35), []byte{
		0xa9, 0x80, 0xcd, 0x12, 0xd0, 0xd0, 0xfb, 0xa9, 2, 0xea, 0xea, 0xea, 0xea, 0xea, 0xea, 0xea, 0xea, 0x8d, 0x20, 0xd0,
		0xa9, 0xc0, 0xcd, 0x12, 0xd0, 0xd0, 0xfb, 0xa9, 0, 0x8d, 0x20, 0xd0, 0x4c, 0x12, 0x08})
	m := New(Options{})
	defer m.Close()
	if err := m.Load(program(code...)); err != nil {
		t.Fatal(err)
	}
	if err := m.RunFrames(4); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[int]byte{0x70: 0, 0x82: 2, 0xbe: 2, 0xc2: 0} {
		if got := m.vic.done[(line-m.std.top)*width+4]; got != want {
			t.Errorf("line $%02X: border %d, want %d", line, got, want)
		}
	}
	first := (0x80 - m.std.top) * width
	if m.vic.done[first] != 0 || m.vic.done[first+width-1] != 2 {
		t.Error("the change does not show in the middle of its line")
	}
}

func TestNarrowScreenHasAWiderBorder(t *testing.T) {
	m := started(t, Options{}, 3, join(banks(0x35), put(0xd016, 0x00), put(0xd011, 0x13), put(0xd020, 9), put(0xd021, 3))...)
	row := m.vic.done[(100-m.std.top)*width:]
	for x, want := range map[int]byte{32 + 6: 9, 32 + 7: 3, 32 + 310: 3, 32 + 312: 9} {
		if row[x] != want {
			t.Errorf("column %d: %d, want %d", x-32, row[x], want)
		}
	}
	column := func(line int) byte { return m.vic.done[(line-m.std.top)*width+100] }
	if column(54) != 9 || column(55) != 3 || column(246) != 3 || column(247) != 9 {
		t.Error("24 rows do not begin at line 55 and end before 247")
	}
}

func TestXScrollShiftsTheText(t *testing.T) {
	m := started(t, Options{}, 3, join(banks(0x35), put(0xd018, 0x1c), put(0x3008, 0xff), put(0x0400, 1), put(0xd800, 2), put(0xd016, 0x0b))...)
	m.shows(t, 0, 0, 0x1f, 2, 6)
	m.shows(t, 8, 0, 0xe0, 2, 6)
}

func TestYScrollMovesTheRows(t *testing.T) {
	m := started(t, Options{}, 3, join(banks(0x35), put(0xd018, 0x1c), put(0x3008, 0xff), put(0x3009, 0), put(0x0400, 1), put(0xd800, 2), put(0xd011, 0x1d))...)
	m.shows(t, 0, 2, 0xff, 2, 6)
	m.shows(t, 0, 3, 0x00, 2, 6)
}

func TestScreenOffIsAllBorder(t *testing.T) {
	m := started(t, Options{}, 3, join(banks(0x35), put(0xd011, 0x0b), put(0xd020, 12), put(0xd021, 3))...)
	for _, line := range []int{60, 150, 240} {
		if got := m.vic.done[(line-m.std.top)*width+160]; got != 12 {
			t.Errorf("line %d shows %d", line, got)
		}
	}
}

func TestPNGIsThePictureTwiceAsLarge(t *testing.T) {
	for _, std := range standards {
		m := started(t, Options{Standard: std}, 2)
		var b bytes.Buffer
		if err := m.WritePNG(&b, 2); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		if s := img.Bounds().Size(); s.X != 2*width || s.Y != 2*std.height {
			t.Errorf("%s: %v", std.Name, s)
		}
		r, g, bl, _ := img.At(3, 3).RGBA()
		wr, wg, wb, _ := Palette[14].RGBA()
		if r != wr || g != wg || bl != wb {
			t.Error("the border is not light blue")
		}
	}
}

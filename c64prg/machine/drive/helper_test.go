package drive

import (
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/leaks"
	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/c64prg/machine/chargen"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// typewriter is a program that shows each new key: it scans the matrix once a
// frame and writes row*8+column+1 for a key that went down, at $2000 on, with
// the shift keys and C= as bits in $2100 on.
//
// It is assembled by hand:
//
//	0810 LDA $D012 / CMP #$F0 / BNE 0810     once a frame
//	0817 LDX #7                              eight rows, from the last
//	0819 LDA mask,X / STA $DC00 / LDA $DC01 / STA $30,X / DEX / BPL 0819
//	...
//
// The comparing and logging is done by the test, in a watch on $37: the last
// row that is stored.
func typewriter(t *testing.T, cfg Config) (*Driver, *[]string) {
	t.Helper()
	m := machine.New(machine.Options{})
	t.Cleanup(m.Close)
	code := []byte{
		0x78, 0xa9, 0x35, 0x85, 0x01, // 080D SEI, I/O in, ROMs out
		0xa9, 0xff, 0x8d, 0x02, 0xdc, // 0812 DDR A
		0xad, 0x12, 0xd0, 0xc9, 0xf0, 0xd0, 0xf9, // 0817 once a frame
		0xa2, 0x07, // 081E eight rows
		0xbd, 0x35, 0x08, 0x8d, 0x00, 0xdc, 0xad, 0x01, 0xdc, 0x95, 0x30, 0xca, 0x10, 0xf2, // 0820
		0x8d, 0x38, 0x00, // 082E the scan is complete
		0x4c, 0x17, 0x08, 0xea, // 0831
		0xfe, 0xfd, 0xfb, 0xf7, 0xef, 0xdf, 0xbf, 0x7f, // 0835 row masks
	}
	prg := append([]byte{0x01, 0x08, 0x0b, 0x08, 0xe8, 0x07, 0x9e, '2', '0', '6', '1', 0, 0, 0}, code...)
	if err := m.Load(prg); err != nil {
		t.Fatal(err)
	}
	var log []string
	down := map[machine.Key]bool{}
	m.Watch(0x38, func(uint16, byte) {
		for k := range machine.Key(64) {
			now := m.Peek(0x30+uint16(k>>3))&(1<<(k&7)) == 0
			if now && !down[k] && !modifier(k) {
				log = append(log, label(k, down))
			}
			down[k] = now
		}
	})
	return New(m, cfg), &log
}

func modifier(k machine.Key) bool {
	return k == machine.KeyLeftShift || k == machine.KeyRightShift || k == machine.KeyCommodore || k == machine.KeyControl
}

// label names a key with what is held with it, as a program reads it.
func label(k machine.Key, down map[machine.Key]bool) string {
	c := chord{k}
	switch {
	case down[machine.KeyLeftShift] || down[machine.KeyRightShift]:
		c = chord{machine.KeyLeftShift, k}
	case down[machine.KeyCommodore]:
		c = chord{machine.KeyCommodore, k}
	}
	for r, rc := range runeKeys {
		if same(c, rc) && !strings.ContainsRune("£↑←", r) {
			return string(r)
		}
	}
	for n, nc := range keyNames {
		if same(c, nc) && n != "RUN/STOP" {
			return "<" + n + ">"
		}
	}
	return "?"
}

func same(a, b chord) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// show writes text at a place of the screen, in the lower case set.
func show(d *Driver, row, col int, text string) {
	for i, r := range []rune(text) {
		code, _ := chargen.Code(chargen.Lower, r)
		d.M.Poke(uint16(0x400+row*Columns+col+i), code)
	}
}

// idle is a machine that only loops, in the lower case set.
func idle(t *testing.T, cfg Config) *Driver {
	t.Helper()
	m := machine.New(machine.Options{})
	t.Cleanup(m.Close)
	// SEI, LDA #$35, STA 1, LDA #$17, STA $D018, JMP *
	code := []byte{0x78, 0xa9, 0x35, 0x85, 0x01, 0xa9, 0x17, 0x8d, 0x18, 0xd0, 0x4c, 0x17, 0x08}
	if err := m.Load(append([]byte{0x01, 0x08, 0x0b, 0x08, 0xe8, 0x07, 0x9e, '2', '0', '6', '1', 0, 0, 0}, code...)); err != nil {
		t.Fatal(err)
	}
	d := New(m, cfg)
	if err := d.RunFrames(1); err != nil {
		t.Fatal(err)
	}
	return d
}

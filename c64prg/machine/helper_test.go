package machine

import (
	"testing"

	"github.com/prompt64/prompt64/appliance/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// program makes a PRG with the usual SYS line and code at $080D.
func program(code ...byte) []byte {
	return append([]byte{0x01, 0x08, 0x0b, 0x08, 0xe8, 0x07, 0x9e, '2', '0', '6', '1', 0, 0, 0}, code...)
}

// entry is where program's code begins.
const entry = 0x080d

// loop is JMP to itself at the place where code ends.
func loop(code []byte) []byte {
	at := entry + len(code)
	return append(code, 0x4c, byte(at), byte(at>>8))
}

// started is a machine with a program that ends in an endless loop, run for a
// number of frames.
func started(t *testing.T, opt Options, frames int, code ...byte) *Machine {
	t.Helper()
	m := New(opt)
	t.Cleanup(m.Close)
	if err := m.Load(program(loop(code)...)); err != nil {
		t.Fatal(err)
	}
	if err := m.RunFrames(frames); err != nil {
		t.Fatal(err)
	}
	return m
}

// join puts pieces of code together.
func join(pieces ...[]byte) (out []byte) {
	for _, p := range pieces {
		out = append(out, p...)
	}
	return out
}

// set is SEI and LDA #v, STA $0001.
func banks(v byte) []byte { return []byte{0x78, 0xa9, v, 0x85, 0x01} }

// put is LDA #v, STA addr.
func put(addr uint16, v byte) []byte { return []byte{0xa9, v, 0x8d, byte(addr), byte(addr >> 8)} }

// copyByte is LDA from, STA to.
func copyByte(from, to uint16) []byte {
	return []byte{0xad, byte(from), byte(from >> 8), 0x8d, byte(to), byte(to >> 8)}
}

// want compares bytes of RAM.
func (m *Machine) want(t *testing.T, addr uint16, vals ...byte) {
	t.Helper()
	for i, v := range vals {
		if got := m.Peek(addr + uint16(i)); got != v {
			t.Errorf("$%04X is $%02X, want $%02X", int(addr)+i, got, v)
		}
	}
}

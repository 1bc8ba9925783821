package machine

import (
	"strings"
	"testing"

	"github.com/beevik/go6502/cpu"
)

// nmosCycles is the base time of every documented opcode, a row for each high
// nibble; a dot is undocumented.
const nmosCycles = `
7 6 . . . 3 5 . 3 2 2 . . 4 6 .
2 5 . . . 4 6 . 2 4 . . . 4 7 .
6 6 . . 3 3 5 . 4 2 2 . 4 4 6 .
2 5 . . . 4 6 . 2 4 . . . 4 7 .
6 6 . . . 3 5 . 3 2 2 . 3 4 6 .
2 5 . . . 4 6 . 2 4 . . . 4 7 .
6 6 . . . 3 5 . 4 2 2 . 5 4 6 .
2 5 . . . 4 6 . 2 4 . . . 4 7 .
. 6 . . 3 3 3 . 2 . 2 . 4 4 4 .
2 6 . . 4 4 4 . 2 5 2 . . 5 . .
2 6 2 . 3 3 3 . 2 2 2 . 4 4 4 .
2 5 . . 4 4 4 . 2 4 2 . 4 4 4 .
2 6 . . 3 3 5 . 2 2 2 . 4 4 6 .
2 5 . . . 4 6 . 2 4 . . . 4 7 .
2 6 . . 3 3 5 . 2 2 2 . 4 4 6 .
2 5 . . . 4 6 . 2 4 . . . 4 7 .`

func TestEveryOpcodeTakesItsTime(t *testing.T) {
	cells := strings.Fields(nmosCycles)
	if len(cells) != 256 {
		t.Fatalf("the table has %d cells", len(cells))
	}
	set := cpu.GetInstructionSet(cpu.NMOS)
	for op, cell := range cells {
		in := set.Lookup(byte(op))
		switch {
		case cell == ".":
			if !opTable[op].bad {
				t.Errorf("$%02X (%s) is taken for documented", op, in.Name)
			}
		case op != 0 && opTable[op].bad:
			t.Errorf("$%02X (%s) is taken for undocumented", op, in.Name)
		case in.Cycles != cell[0]-'0':
			t.Errorf("$%02X (%s) takes %d, want %s", op, in.Name, in.Cycles, cell)
		}
	}
}

// TestPageCrossingCostsReadsOneCycle: loads and arithmetic pay, stores and
// read-modify-write have it in their base time.
func TestPageCrossingCostsReadsOneCycle(t *testing.T) {
	set := cpu.GetInstructionSet(cpu.NMOS)
	for op := range 256 {
		in := set.Lookup(byte(op))
		if opTable[op].bad || !opTable[op].indexed {
			continue
		}
		want := byte(1)
		if opTable[op].writes > 0 {
			want = 0
		}
		if in.BPCycles != want {
			t.Errorf("$%02X (%s): %d for a crossing, want %d", op, in.Name, in.BPCycles, want)
		}
	}
}

// TestBranchesTakeOneMoreWhenTakenAndTwoAcrossAPage: the page is that of the
// instruction behind the branch.
func TestBranchesTakeOneMoreWhenTakenAndTwoAcrossAPage(t *testing.T) {
	m := fresh(t)
	m.port.data = 0x34
	m.remap()
	for _, c := range []struct {
		at     uint16
		offset byte
		taken  bool
		want   uint64
	}{
		{0x1000, 0x10, false, 2}, {0x1000, 0x10, true, 3}, {0x1000, 0xf0, true, 4},
		{0x10f0, 0x0d, true, 3}, {0x10f0, 0x0e, true, 4}, {0x10fe, 0x00, true, 3}, {0x10fd, 0x80, true, 3}, {0x10fe, 0x80, true, 4},
	} {
		m.ram[c.at], m.ram[c.at+1] = 0xf0, c.offset // BEQ
		r := &m.cpu.Reg
		r.PC, r.Zero = c.at, c.taken
		before := m.cpu.Cycles
		m.cpu.Step()
		if got := m.cpu.Cycles - before; got != c.want {
			t.Errorf("BEQ at $%04X by $%02X, taken %v: %d cycles, want %d", c.at, c.offset, c.taken, got, c.want)
		}
		want := c.at + 2
		if c.taken {
			want += uint16(int8(c.offset))
		}
		if r.PC != want {
			t.Errorf("BEQ at $%04X by $%02X goes to $%04X, want $%04X", c.at, c.offset, r.PC, want)
		}
	}
}

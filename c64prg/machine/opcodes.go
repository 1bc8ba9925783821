package machine

import "github.com/beevik/go6502/cpu"

// opInfo is what the bus needs to know about an instruction in execution.
type opInfo struct {
	cycles byte // without page crossing
	writes byte // write cycles at its end: the VIC-II cannot stop those
	rmw    bool // reads, writes the old value back, then writes the new one
	bad    bool // undocumented, or BRK

	indexed bool // by a register that can carry into the next page
	index   byte // which one: X or Y
}

var opTable = makeOpTable()

func makeOpTable() (t [256]opInfo) {
	set := cpu.GetInstructionSet(cpu.NMOS)
	for i := range t {
		in := set.Lookup(byte(i))
		t[i] = opInfo{cycles: in.Cycles, bad: in.Name == "???" || i == 0}
		switch in.Mode {
		case cpu.ABX:
			t[i].indexed, t[i].index = true, 'X'
		case cpu.ABY, cpu.IDY:
			t[i].indexed, t[i].index = true, 'Y'
		}
		switch in.Name {
		case "STA", "STX", "STY", "PHA", "PHP":
			t[i].writes = 1
		case "JSR":
			t[i].writes = 2
		case "INC", "DEC", "ASL", "LSR", "ROL", "ROR":
			if in.Mode != cpu.ACC {
				t[i].writes, t[i].rmw = 2, true
			}
		}
	}
	return t
}

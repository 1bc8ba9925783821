package machine

import (
	"fmt"
	"strings"
)

// Failure ends a run: the program did what it must never do.
type Failure struct {
	Reason string
	PC     uint16
	Regs   string   // registers in words
	Stack  []string // return addresses found on the stack, innermost first
	Trail  []string // the last instructions, oldest first
}

// Error implements error with everything that helps to find the place.
func (f *Failure) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "machine: %s\n  %s\n", f.Reason, f.Regs)
	fmt.Fprintf(&b, "  stack: %s\n", strings.Join(f.Stack, ", "))
	fmt.Fprintf(&b, "  trail: %s", strings.Join(f.Trail, " "))
	return b.String()
}

// fail ends the run; the first failure stays.
func (m *Machine) fail(format string, args ...any) {
	if m.failure != nil {
		return
	}
	r := m.cpu.Reg
	m.failure = &Failure{
		Reason: fmt.Sprintf(format, args...),
		PC:     r.PC,
		Regs: fmt.Sprintf("PC=%s A=$%02X X=$%02X Y=$%02X SP=$%02X P=$%02X $01=$%02X line=%d cycle=%d",
			m.Where(r.PC), r.A, r.X, r.Y, r.SP, r.SavePS(false), m.ram[1], m.vic.line, m.clk),
		Stack: m.stackTrace(),
		Trail: m.lastPCs(),
	}
}

// Fail ends the run from a hook or a watch, as the machine's own checks do.
func (m *Machine) Fail(format string, args ...any) { m.fail(format, args...) }

// Err is the failure that ended the run, or nil.
func (m *Machine) Err() error {
	if m.failure == nil {
		return nil
	}
	return m.failure
}

// badExec ends the run at a jump into I/O, the character ROM, or the places of
// BASIC and the KERNAL.
func (m *Machine) badExec(pc uint16) {
	what := "I/O or the character ROM"
	if pc < 0xd000 || pc >= 0xe000 {
		what = "the place of a ROM that this machine does not have"
	}
	m.fail("exec: $%04X is %s", pc, what)
}

// badOpcode says whether an opcode ends the run.
func (m *Machine) badOpcode(pc uint16, op byte) bool {
	switch {
	case op != 0:
		m.fail("exec: undocumented opcode $%02X at %s", op, m.Where(pc))
	case !m.opt.AllowBRK:
		m.fail("exec: BRK at %s", m.Where(pc))
	default:
		return false
	}
	return true
}

// stackTrace finds JSR return addresses on the stack.
func (m *Machine) stackTrace() []string {
	var out []string
	for sp := int(m.cpu.Reg.SP) + 1; sp < 0xff && len(out) < 16; sp++ {
		ret := uint16(m.ram[0x100+sp]) | uint16(m.ram[0x101+sp])<<8
		if call := ret - 2; m.ram[call] == 0x20 {
			out = append(out, m.Where(call))
			sp++
		}
	}
	return out
}

func (m *Machine) lastPCs() []string {
	var out []string
	n := min(m.trailAt, trailLen)
	for i := m.trailAt - n; i < m.trailAt; i++ {
		out = append(out, fmt.Sprintf("%04X", m.trail[i&(trailLen-1)]))
	}
	return out
}

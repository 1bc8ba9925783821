package machine

// span is a range of addresses, the end not in it.
type span struct{ from, to uint16 }

//go:norace
func (s span) has(a uint16) bool { return a >= s.from && a < s.to }

const trailLen = 64

// checks is what the machine watches while it runs a program.
type checks struct {
	failure   *Failure
	notes     []string
	loaded    span
	allowed   []span
	watches   map[uint16]func(addr uint16, v byte)
	hooks     map[uint16]func()
	prof      *[65536]uint64
	trail     [trailLen]uint16
	trailAt   uint
	lowSP     byte
	romWrites int
	labels    *Labels
}

func (c *checks) init() {
	c.watches = map[uint16]func(uint16, byte){}
	c.hooks = map[uint16]func(){}
	c.lowSP = 0xff
}

// careful says whether each instruction needs the slow loop.
//
//go:norace
func (m *Machine) careful() bool {
	return len(m.hooks) > 0 || m.prof != nil || m.opt.Strict
}

// checkExec runs a hook and applies the strict ranges.
//
//go:norace
func (m *Machine) checkExec(pc uint16) bool {
	if h := m.hooks[pc]; h != nil {
		h()
		if m.failure != nil {
			return false
		}
	}
	if !m.opt.Strict || m.loaded.has(pc) {
		return true
	}
	for _, s := range m.allowed {
		if s.has(pc) {
			return true
		}
	}
	m.fail("exec: $%04X is outside the loaded program ($%04X-$%04X)", pc, m.loaded.from, m.loaded.to-1)
	return false
}

//go:norace
func (m *Machine) account(pc uint16, cycles uint64) {
	if m.prof != nil {
		m.prof[pc] += cycles
	}
}

// AllowExec lets a strict machine execute from..to-1 too, for code that the
// program copies there.
func (m *Machine) AllowExec(from, to uint16) { m.allowed = append(m.allowed, span{from, to}) }

// Watch calls f before each CPU write to an address of RAM; nil ends it.
// Pushes by interrupts are not seen.
func (m *Machine) Watch(addr uint16, f func(addr uint16, v byte)) {
	if f == nil {
		delete(m.watches, addr)
	} else {
		m.watches[addr] = f
	}
	m.remap()
}

// Break calls f each time before the instruction at an address runs; nil ends
// it.
func (m *Machine) Break(addr uint16, f func()) {
	if f == nil {
		delete(m.hooks, addr)
		return
	}
	m.hooks[addr] = f
}

// StackLow is the lowest stack pointer since the program was loaded; BASIC
// leaves it at $F6.
func (m *Machine) StackLow() byte { return m.lowSP }

// ROMWrites counts the writes that went beneath a ROM that was banked in.
func (m *Machine) ROMWrites() int { return m.romWrites }

// Notes are breaches of the hardware's rules that did not end the run: a UCI
// command out of order, a foreign socket closed.
func (m *Machine) Notes() []string { return m.notes }

// ClearNotes forgets the notes so far.
func (m *Machine) ClearNotes() { m.notes = nil }

// maxNotes bounds the list when a program breaks a rule in a loop.
const maxNotes = 200

// Violate records a breach of the hardware's rules with the place where the
// program is.
func (m *Machine) Violate(what string) {
	if len(m.notes) < maxNotes {
		m.notes = append(m.notes, what+" at "+m.Where(m.cpu.LastPC))
	}
}

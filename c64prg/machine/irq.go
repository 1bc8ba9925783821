package machine

// The interrupt lines as the CPU sees them.
const (
	lineIRQ = 1 << iota // level: some chip pulls IRQ
	lineNMI             // edge: an NMI waits to be taken
	lineLow             // NMI is pulled; a new edge needs it released first
)

// updateLines gathers the chips' outputs.
func (m *Machine) updateLines() {
	irq := m.vic.irq() || m.cia[0].irq || m.uci != nil && m.uci.IRQ()
	nmi := m.cia[1].irq || m.restore
	if m.exp != nil {
		irq = irq || m.exp.IRQ()
		nmi = nmi || m.exp.NMI()
	}
	l := m.lines &^ lineIRQ
	if irq {
		l |= lineIRQ
	}
	switch {
	case nmi && l&lineLow == 0:
		l |= lineLow | lineNMI
	case !nmi:
		l &^= lineLow
	}
	m.lines = l
}

// Vectors at the top of memory.
const (
	vecNMI = 0xfffa
	vecIRQ = 0xfffe
)

// interrupt takes a waiting NMI or IRQ. go6502 has no exported entry, so the
// frame is pushed here.
func (m *Machine) interrupt() {
	r := &m.cpu.Reg
	if m.lines&lineNMI != 0 {
		m.lines &^= lineNMI
		if m.kernalVisible() {
			m.kernalNMI()
			return
		}
		m.enter(vecNMI)
		return
	}
	masked := r.InterruptDisable
	switch m.op {
	case 0x58, 0x78, 0x28: // CLI, SEI, PLP: the CPU polled before they took effect
		masked = m.late
	}
	if masked {
		return
	}
	if m.kernalVisible() {
		m.kernalIRQ()
		return
	}
	m.enter(vecIRQ)
}

func (m *Machine) enter(vector uint16) {
	m.pushFrame()
	m.cpu.Reg.PC = m.bus.LoadAddress(vector)
	m.op = 0
	m.addCycles(7)
}

func (m *Machine) pushFrame() {
	r := &m.cpu.Reg
	pc := r.PC
	for _, v := range [3]byte{byte(pc >> 8), byte(pc), r.SavePS(false)} {
		m.ram[0x100+uint16(r.SP)] = v
		r.SP--
	}
	r.InterruptDisable = true
}

// The KERNAL's RAM vectors and where they point when nobody changed them.
const (
	ramIRQ, defIRQ = 0x0314, 0xea31
	ramNMI, defNMI = 0x0318, 0xfe47
)

// kernalIRQ stands in for the KERNAL's handler, which a program meets between
// its start and its own SEI: the timer is acknowledged, about as late as the
// real one returns. Anything but the untouched jiffy interrupt is a failure,
// as the program promises to need no ROM.
func (m *Machine) kernalIRQ() {
	vec := uint16(m.ram[ramIRQ]) | uint16(m.ram[ramIRQ+1])<<8
	if vec != defIRQ || m.vic.irq() {
		m.fail("irq: taken while the KERNAL is banked in (vector $0314 = $%04X, $D019 = $%02X)", vec, m.vic.latch)
		return
	}
	m.cia[0].readICR(m.clk)
	m.updateLines()
	m.op = 0
	m.addCycles(kernalCycles)
}

// kernalCycles is about what the KERNAL's jiffy interrupt takes.
const kernalCycles = 400

func (m *Machine) kernalNMI() {
	vec := uint16(m.ram[ramNMI]) | uint16(m.ram[ramNMI+1])<<8
	m.op = 0
	if vec == defNMI {
		m.addCycles(kernalCycles)
		return
	}
	m.pushFrame()
	m.cpu.Reg.PC = vec
	m.addCycles(7 + 7) // entry, SEI, JMP ($0318)
}

// Restore presses the RESTORE key, which pulls NMI once.
func (m *Machine) Restore() {
	m.restore = true
	m.updateLines()
	m.restore = false
	m.updateLines()
}

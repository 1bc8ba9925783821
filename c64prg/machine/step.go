package machine

// Run runs the machine for n system cycles, with the pacing that Options ask
// for. It returns the Failure that ended the run, now or earlier.
func (m *Machine) Run(n uint64) error {
	target := m.clk + n
	for m.clk < target && m.failure == nil {
		slice := min(m.clk+m.pace.slice(m), target)
		m.runTo(slice)
		m.pace.after(m)
	}
	if m.failure != nil {
		return m.failure
	}
	return nil
}

// RunFrames runs n video frames.
func (m *Machine) RunFrames(n int) error { return m.Run(uint64(n) * m.std.Frame()) }

// runTo runs instructions until the clock reaches the target.
func (m *Machine) runTo(target uint64) {
	m.until = target
	m.schedule()
	for m.clk < target && m.failure == nil {
		if m.careful() {
			m.stepsChecked()
		} else {
			m.steps()
		}
		if m.clk >= m.nextEvent() {
			m.events()
		}
		m.schedule()
	}
}

// steps is the hot loop: it runs up to the next event.
//
//go:norace
func (m *Machine) steps() {
	for m.clk < m.limit && m.step() {
	}
}

// stepsChecked is the same loop with hooks, the profiler and strict ranges.
//
//go:norace
func (m *Machine) stepsChecked() {
	for m.clk < m.limit && m.failure == nil {
		before := m.clk
		if m.lines&(lineIRQ|lineNMI) != 0 {
			m.interrupt()
		}
		pc := m.cpu.Reg.PC
		if !m.checkExec(pc) || !m.step() {
			return
		}
		m.account(pc, m.clk-before)
	}
}

// step takes a waiting interrupt and runs one instruction; false ends the loop.
//
//go:norace
func (m *Machine) step() bool {
	c := m.cpu
	if m.lines&(lineIRQ|lineNMI) != 0 {
		m.interrupt()
	}
	pc := c.Reg.PC
	p := m.bus.ex[pc>>8]
	if p == nil {
		m.badExec(pc)
		return false
	}
	op := p[byte(pc)]
	if opTable[op].bad && m.badOpcode(pc, op) {
		return false
	}
	m.op = op
	m.late = c.Reg.InterruptDisable
	m.trail[m.trailAt&(trailLen-1)] = pc
	m.trailAt++
	before := c.Cycles
	c.Step()
	m.addCycles(c.Cycles - before)
	if c.Reg.SP < m.lowSP {
		m.lowSP = c.Reg.SP
	}
	return true
}

// addCycles moves the clock on by CPU cycles, fewer in turbo.
//
//go:norace
func (m *Machine) addCycles(n uint64) {
	if m.turbo.mhz == 1 {
		m.clk += n
		return
	}
	m.clk += m.turbo.convert(n)
}

// nextEvent is when a chip next has to act.
//
//go:norace
func (m *Machine) nextEvent() uint64 {
	next := min(m.vic.next, m.cia[0].next, m.cia[1].next)
	if m.uci != nil {
		next = min(next, m.uciNext())
	}
	if m.exp != nil {
		next = min(next, m.thawed(m.exp.Next()))
	}
	return next
}

// schedule sets the run loop's limit; every I/O access that may bring an event
// forward calls it.
//
//go:norace
func (m *Machine) schedule() { m.limit = min(m.until, m.nextEvent()) }

// events lets every chip act that is due.
func (m *Machine) events() {
	if m.clk >= m.vic.next {
		m.vicEvent()
	}
	for i := range m.cia {
		if m.clk >= m.cia[i].next {
			m.cia[i].advance(m.clk)
		}
	}
	if m.uci != nil && m.clk >= m.uciNext() {
		m.uci.Advance(m.clk + m.frozen)
	}
	if m.exp != nil && m.clk >= m.thawed(m.exp.Next()) {
		m.exp.Advance(m.clk + m.frozen)
	}
	m.updateLines()
}

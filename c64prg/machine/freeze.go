package machine

// Freeze is the Ultimate's menu, open for n cycles: CPU, picture and timers of
// the C64 stand still, while the Ultimate, its connections and a device with a
// clock of its own live on.
func (m *Machine) Freeze(n uint64) {
	for n > 0 {
		slice := min(n, m.pace.slice(m))
		m.frozen += slice
		n -= slice
		if m.uci != nil {
			m.uci.Advance(m.clk + m.frozen)
		}
		if m.exp != nil {
			m.exp.Advance(m.clk + m.frozen)
		}
		m.pace.after(m)
	}
	m.updateLines()
	m.schedule()
}

// uciNext is when the Ultimate next has to act, on the C64's clock.
func (m *Machine) uciNext() uint64 { return m.thawed(m.uci.Next()) }

// thawed is a time of a device on the C64's clock.
func (m *Machine) thawed(at uint64) uint64 {
	if at == never {
		return never
	}
	return at - min(at, m.frozen)
}

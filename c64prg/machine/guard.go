package machine

// Guard makes every CPU write to from..to-1 a failure, for canaries: bytes that
// the program promises not to touch. Pushes by interrupts are not seen.
func (m *Machine) Guard(from, to uint16) {
	for a := from; a != to; a++ {
		m.watches[a] = func(addr uint16, v byte) {
			m.fail("guard: $%02X written to $%04X at %s", v, addr, m.Where(m.cpu.LastPC))
		}
	}
	m.remap()
}

package machine

// Expansion is a device on the cartridge port that answers in $DE00-$DEFF or in
// $DF00-$DFFF, such as an ACIA. The machine calls Advance at Next, and before every access. It has
// a clock of its own: the time goes on while the Ultimate freezes the C64.
type Expansion interface {
	// Load reads a register; ok is false where the device leaves the bus open.
	Load(reg byte, now uint64) (v byte, ok bool)
	// Store writes a register.
	Store(reg byte, v byte, now uint64)
	// Advance lets the device act up to a point of time.
	Advance(now uint64)
	// Next is the cycle at which the device next has to act.
	Next() uint64
	// IRQ and NMI are the levels that the device pulls.
	IRQ() bool
	NMI() bool
	// Reset is the machine's reset line.
	Reset()
}

// Attach plugs a device into the cartridge port, at $DE00.
func (m *Machine) Attach(e Expansion) { m.AttachAt(0xde, e) }

// AttachAt plugs a device into the cartridge port at a page, $DE or $DF. What the
// device leaves open there the Ultimate may answer.
func (m *Machine) AttachAt(page byte, e Expansion) { m.exp, m.expPage = e, uint16(page) }

// ioTime is the cycle of the instruction's last bus access, where loads and
// stores reach I/O.
func (m *Machine) ioTime() uint64 {
	if n := opTable[m.op].cycles; n > 0 && m.turbo.mhz == 1 {
		return m.clk + uint64(n) - 1
	}
	return m.clk
}

// ioLoad reads I/O space as the CPU does. An indexed instruction that crosses a
// page first reads the place without the carry.
func (m *Machine) ioLoad(addr uint16) byte {
	now := m.ioTime()
	if opTable[m.op].indexed && m.crossed(addr) {
		m.readIO(addr-0x100, now)
		now++
	}
	m.lastRead = m.readIO(addr, now)
	return m.lastRead
}

// crossed says whether the indexed instruction in execution reached addr from
// the page before. In an absolute instruction the operand tells; (zp),Y is told
// by Y alone, as its pointer's low byte plus Y made the address's low byte.
func (m *Machine) crossed(addr uint16) bool {
	r := &m.cpu.Reg
	switch opTable[m.op].index {
	case 'X':
		return byte(addr) < r.X
	case 'Y':
		return byte(addr) < r.Y
	}
	return false
}

func (m *Machine) readIO(addr uint16, now uint64) byte {
	switch page := addr >> 8; {
	case page < 0xd4:
		return m.vicLoad(byte(addr)&0x3f, now)
	case page < 0xd8:
		return m.sid.load(byte(addr)&0x1f, now)
	case page < 0xdc:
		return m.colour[addr&0x3ff] | byte(m.rnd.Uint32())&0xf0
	case page < 0xde:
		v := m.ciaLoad(int(page-0xdc), byte(addr)&0x0f, now)
		m.updateLines()
		m.schedule()
		return v
	case page == m.expPage && m.exp != nil:
		m.exp.Advance(now + m.frozen)
		if v, ok := m.exp.Load(byte(addr), now+m.frozen); ok {
			m.updateLines()
			m.schedule()
			return v
		}
	case addr >= 0xdf18 && addr < 0xdf20 && m.uci != nil:
		return m.uciLoad(byte(addr)&7, now)
	}
	return 0xff
}

// ioStore writes I/O space as the CPU does. A read-modify-write instruction
// first writes the old value back: acknowledging $D019 with INC or ASL works by
// that alone. An indexed store first reads, always.
func (m *Machine) ioStore(addr uint16, v byte) {
	now := m.ioTime()
	switch info := &opTable[m.op]; {
	case info.rmw:
		m.writeIO(addr, m.lastRead, now-1)
	case info.indexed && m.crossed(addr):
		m.readIO(addr-0x100, now-1)
	case info.indexed:
		m.readIO(addr, now-1)
	}
	m.writeIO(addr, v, now)
}

func (m *Machine) writeIO(addr uint16, v byte, now uint64) {
	switch page := addr >> 8; {
	case page < 0xd4:
		m.vicStore(byte(addr)&0x3f, v, now)
	case page < 0xd8:
		m.sid.store(byte(addr)&0x1f, v, now)
	case page < 0xdc:
		m.colour[addr&0x3ff] = v & 0x0f
		return
	case page < 0xde:
		m.ciaStore(int(page-0xdc), byte(addr)&0x0f, v, now)
	case page == m.expPage && m.exp != nil:
		m.exp.Advance(now + m.frozen)
		m.exp.Store(byte(addr), v, now+m.frozen)
	case addr >= 0xdf18 && addr < 0xdf20 && m.uci != nil:
		m.uciStore(byte(addr)&7, v, now)
	}
	m.updateLines()
	m.schedule()
}

func (m *Machine) uciLoad(reg byte, now uint64) byte {
	if m.tooSoon(now) {
		return 0xff
	}
	v := m.uci.Load(reg, now+m.frozen)
	m.updateLines()
	m.schedule()
	return v
}

func (m *Machine) uciStore(reg, v byte, now uint64) {
	if m.tooSoon(now) {
		return
	}
	m.uci.Store(reg, v, now+m.frozen)
}

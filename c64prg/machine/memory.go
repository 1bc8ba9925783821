package machine

import "github.com/beevik/go6502/cpu"

type page = [256]byte

// The CPU port's lines at $0001 that choose the memory map.
const (
	loram  = 1 << 0
	hiram  = 1 << 1
	charen = 1 << 2
)

// bus is the CPU's view of memory. A page is reached through rd, wr and ex;
// nil sends the access to the slow path (I/O, ROM writes, watches) or, for ex,
// makes executing there a failure.
type bus struct {
	m          *Machine
	rd, wr, ex [256]*page
}

var _ cpu.Memory = (*bus)(nil)

// LoadByte implements cpu.Memory.
//
//go:norace
func (b *bus) LoadByte(addr uint16) byte {
	if p := b.rd[addr>>8]; p != nil {
		return p[byte(addr)]
	}
	return b.m.ioLoad(addr)
}

// LoadBytes implements cpu.Memory; the CPU fetches its operands with it.
//
//go:norace
func (b *bus) LoadBytes(addr uint16, buf []byte) {
	for i := range buf {
		buf[i] = b.LoadByte(addr + uint16(i))
	}
}

// LoadAddress implements cpu.Memory with the NMOS page wrap.
//
//go:norace
func (b *bus) LoadAddress(addr uint16) uint16 {
	next := addr&0xff00 | uint16(byte(addr)+1)
	return uint16(b.LoadByte(addr)) | uint16(b.LoadByte(next))<<8
}

// StoreByte implements cpu.Memory.
//
//go:norace
func (b *bus) StoreByte(addr uint16, v byte) {
	if p := b.wr[addr>>8]; p != nil && addr > 1 {
		p[byte(addr)] = v
		return
	}
	b.m.storeSlow(addr, v)
}

// StoreBytes implements cpu.Memory.
func (b *bus) StoreBytes(addr uint16, buf []byte) {
	for i, v := range buf {
		b.StoreByte(addr+uint16(i), v)
	}
}

// StoreAddress implements cpu.Memory.
func (b *bus) StoreAddress(addr uint16, v uint16) {
	b.StoreByte(addr, byte(v))
	b.StoreByte(addr&0xff00|uint16(byte(addr)+1), byte(v>>8))
}

// port is the 6510's own register pair at $0000 and $0001.
type port struct{ ddr, data byte }

// lines are the levels on the port: inputs are pulled up.
func (p port) lines() byte { return p.data | ^p.ddr }

// remap rebuilds the page tables.
func (m *Machine) remap() {
	for i := range m.bus.rd {
		p := m.ramPage(i)
		m.bus.rd[i], m.bus.wr[i], m.bus.ex[i] = p, p, p
	}
	m.mode = noMode
	m.bank()
}

// noMode is no memory map: the next bank applies whatever it is.
const noMode = 0xff

// bank follows the CPU port: only the pages that have something over their RAM
// change, as programs bank often.
func (m *Machine) bank() {
	m.ram[0] = m.port.ddr
	m.ram[1] = m.port.data&m.port.ddr | ^m.port.ddr&0x17
	mode := m.port.lines() & (loram | hiram | charen)
	if mode == m.mode {
		return
	}
	m.mode = mode
	m.mapROM(0xa0, 0xbf, mode&(loram|hiram) == loram|hiram)
	m.mapROM(0xe0, 0xff, mode&hiram != 0)
	io := mode&(loram|hiram) != 0 && mode&charen != 0
	for i := 0xd0; i <= 0xdf; i++ {
		switch {
		case io:
			m.bus.rd[i], m.bus.wr[i], m.bus.ex[i] = nil, nil, nil
		case mode&(loram|hiram) != 0:
			m.bus.rd[i] = (*page)(m.chars[(i-0xd0)*256:])
			m.bus.wr[i], m.bus.ex[i] = nil, nil
		default:
			p := m.ramPage(i)
			m.bus.rd[i], m.bus.wr[i], m.bus.ex[i] = p, p, p
		}
	}
	for addr := range m.watches {
		m.bus.wr[addr>>8] = nil
	}
}

func (m *Machine) ramPage(i int) *page { return (*page)(m.ram[i*256:]) }

// mapROM puts the place of a ROM over its RAM, or takes it away.
func (m *Machine) mapROM(from, to int, on bool) {
	for i := from; i <= to; i++ {
		p := m.ramPage(i)
		m.bus.rd[i], m.bus.wr[i], m.bus.ex[i] = p, p, p
		if on {
			m.bus.rd[i], m.bus.wr[i], m.bus.ex[i] = &m.filler, nil, nil
			if i == 0xff {
				m.bus.rd[i] = &m.kernal
			}
		}
	}
}

// ioVisible says whether $D000-$DFFF is I/O for the CPU.
func (m *Machine) ioVisible() bool {
	mode := m.port.lines()
	return mode&(loram|hiram) != 0 && mode&charen != 0
}

func (m *Machine) kernalVisible() bool { return m.port.lines()&hiram != 0 }

// storeSlow takes the writes that a plain page cannot: the CPU port, I/O, RAM
// beneath ROM, and watched addresses.
func (m *Machine) storeSlow(addr uint16, v byte) {
	if w := m.watches[addr]; w != nil {
		w(addr, v)
	}
	switch {
	case addr == 0:
		m.port.ddr = v
		m.bank()
	case addr == 1:
		m.port.data = v
		m.bank()
	case addr>>12 == 0xd && m.ioVisible():
		m.ioStore(addr, v)
	default:
		if m.bus.ex[addr>>8] == nil {
			m.romWrites++
		}
		m.ram[addr] = v
	}
}

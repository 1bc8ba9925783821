package machine

// vic is the VIC-II: registers, the raster and its interrupt, and the text
// picture, which is drawn up to the beam whenever a register changes.
type vic struct {
	reg   [64]byte
	latch byte // $D019 without bit 7
	mask  byte // $D01A
	cmp   int  // raster line that interrupts
	bank  uint16
	line  int
	start uint64 // cycle at which the line began
	next  uint64
	half  bool // the line's bad-line point is still to come
	den   bool // DEN was set in line $30: this frame can have bad lines
	beam
	frames uint64
}

// The raster lines and cycles of a text screen.
const (
	firstBad = 0x30
	lastBad  = 0xf7
	badFrom  = 12 // cycle in which BA goes low
	badTo    = 55 // cycle in which the CPU goes on
)

const (
	ctrl1 = 0x11
	ctrl2 = 0x16
	ptrs  = 0x18
)

func (v *vic) irq() bool { return v.latch&v.mask&0x0f != 0 }

// badLine says whether this line fetches a new text row.
func (v *vic) badLine() bool {
	return v.den && v.line >= firstBad && v.line <= lastBad && byte(v.line)&7 == v.reg[ctrl1]&7
}

// vicEvent is the start of a raster line, or the point where a bad line stops
// the CPU.
//
//go:norace
func (m *Machine) vicEvent() {
	v := &m.vic
	if v.half {
		v.half = false
		v.next = v.start + m.std.Line
		if v.badLine() {
			m.fetchRow()
			m.steal()
		}
		return
	}
	m.drawTo(m.std.Line)
	m.endLine()
	v.start = v.next
	v.line++
	if v.line == m.std.Lines {
		v.line = 0
		m.endFrame()
	}
	if v.line == firstBad {
		v.den = v.reg[ctrl1]&0x10 != 0
	}
	v.half = v.line >= firstBad && v.line <= lastBad
	v.next = v.start + m.std.Line
	if v.half {
		v.next = v.start + badFrom
	}
	m.startLine()
	if v.line == v.cmp {
		v.latch |= 1
	}
}

// steal stops the CPU for a bad line: it goes on until its first read cycle,
// so that it loses 40 to 43 cycles.
func (m *Machine) steal() {
	at := m.clk - m.vic.start
	stop := uint64(badFrom)
	if w := uint64(opTable[m.op].writes); at <= badFrom+w {
		stop = max(stop, at)
	}
	m.clk += badTo - stop
	m.account(m.cpu.LastPC, badTo-stop)
}

// raster is the line the beam is in at a time, which may be a little ahead of
// the events.
func (m *Machine) raster(now uint64) int {
	line := m.vic.line
	if now >= m.vic.start+m.std.Line {
		line++
	}
	if line >= m.std.Lines {
		line = 0
	}
	return line
}

func (m *Machine) vicLoad(r byte, now uint64) byte {
	v := &m.vic
	switch {
	case r == 0x11:
		return v.reg[r]&0x7f | byte(m.raster(now)>>1)&0x80
	case r == 0x12:
		return byte(m.raster(now))
	case r == 0x16:
		return v.reg[r] | 0xc0
	case r == 0x18:
		return v.reg[r] | 1
	case r == 0x19:
		if v.irq() {
			return v.latch | 0xf0
		}
		return v.latch | 0x70
	case r == 0x1a:
		return v.mask | 0xf0
	case r == 0x1e || r == 0x1f:
		return 0
	case r >= 0x20 && r < 0x2f:
		return v.reg[r] | 0xf0
	case r == 0x31:
		return m.turbo.load()
	case r >= 0x2f:
		return 0xff
	}
	return v.reg[r]
}

func (m *Machine) vicStore(r, val byte, now uint64) {
	v := &m.vic
	switch r {
	case 0x19:
		v.latch &^= val & 0x0f
		return
	case 0x1a:
		v.mask = val & 0x0f
		return
	case 0x31:
		m.turbo.store(val)
		return
	}
	m.drawTo(now - v.start)
	v.reg[r] = val
	if r == 0x11 && v.line == firstBad && val&0x10 != 0 {
		v.den = true
	}
	if r == 0x11 || r == 0x12 {
		cmp := int(v.reg[0x12]) | int(v.reg[0x11]&0x80)<<1
		if cmp != v.cmp && cmp == m.raster(now) {
			v.latch |= 1
		}
		v.cmp = cmp
	}
}

func (m *Machine) resetVIC() {
	frames := m.vic.frames
	m.vic = vic{start: m.clk, frames: frames, beam: m.vic.beam}
	m.vic.next = m.clk + m.std.Line
}

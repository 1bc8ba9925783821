package machine

const never = ^uint64(0)

// cia is a 6526: two ports, two timers, the time of day, one interrupt line.
// Timers are computed when somebody looks, and at underflows that interrupt.
type cia struct {
	pra, prb, ddra, ddrb byte
	ta, tb               timer
	tod                  tod
	flags, mask          byte
	irq                  bool
	next                 uint64
}

// Interrupt flags in $DC0D.
const (
	icrTA = 1 << iota
	icrTB
	icrAlarm
)

// raise sets flags, and the line where the mask lets them through.
func (c *cia) raise(bits byte) {
	c.flags |= bits
	if c.flags&c.mask&0x1f != 0 {
		c.irq = true
	}
}

// readICR reads and clears the interrupt register.
func (c *cia) readICR(now uint64) byte {
	c.advance(now)
	v := c.flags
	if c.irq {
		v |= 0x80
	}
	c.flags, c.irq = 0, false
	return v
}

// writeICR sets or clears mask bits.
func (c *cia) writeICR(v byte) {
	if v&0x80 != 0 {
		c.mask |= v & 0x1f
	} else {
		c.mask &^= v & 0x1f
	}
	c.raise(0)
}

// advance brings timers and clock up to a time.
func (c *cia) advance(now uint64) {
	na := c.ta.advance(now)
	if na > 0 {
		c.raise(icrTA)
	}
	if c.tb.cascaded() {
		if c.tb.count(na, now) {
			c.raise(icrTB)
		}
	} else if c.tb.advance(now) > 0 {
		c.raise(icrTB)
	}
	if c.tod.advance(now) {
		c.raise(icrAlarm)
	}
	c.plan()
}

// plan computes when the chip next has to act by itself.
func (c *cia) plan() {
	c.next = never
	if c.mask&icrTA != 0 || c.mask&icrTB != 0 && c.tb.cascaded() {
		c.next = min(c.next, c.ta.underflow())
	}
	if c.mask&icrTB != 0 && !c.tb.cascaded() {
		c.next = min(c.next, c.tb.underflow())
	}
	if c.mask&icrAlarm != 0 {
		c.next = min(c.next, c.tod.due())
	}
}

func (m *Machine) ciaLoad(n int, r byte, now uint64) byte {
	c := &m.cia[n]
	switch r {
	case 0:
		return m.portA(n)
	case 1:
		return m.portB(n)
	case 2:
		return c.ddra
	case 3:
		return c.ddrb
	case 4, 5, 6, 7:
		c.advance(now)
		t := &c.ta
		if r > 5 {
			t = &c.tb
		}
		return byte(t.value(now) >> (8 * (r & 1)))
	case 8, 9, 10, 11:
		c.advance(now)
		return c.tod.load(r - 8)
	case 13:
		return c.readICR(now)
	case 14:
		c.advance(now)
		return c.ta.ctrl
	case 15:
		c.advance(now)
		return c.tb.ctrl
	}
	return 0
}

func (m *Machine) ciaStore(n int, r, v byte, now uint64) {
	c := &m.cia[n]
	c.advance(now)
	switch r {
	case 0:
		c.pra = v
	case 1:
		c.prb = v
	case 2:
		c.ddra = v
	case 3:
		c.ddrb = v
	case 4, 5:
		c.ta.setLatch(r&1, v, now)
	case 6, 7:
		c.tb.setLatch(r&1, v, now)
	case 8, 9, 10, 11:
		c.tod.store(r-8, v, now)
	case 13:
		c.writeICR(v)
	case 14:
		c.ta.control(v, now)
		c.tod.setInput(v, now)
	case 15:
		c.tb.control(v, now)
		c.tod.setAlarm = v&0x80 != 0
	}
	if n == 1 && (r == 0 || r == 2) {
		m.setBank(now)
	}
	c.plan()
}

// setBank follows CIA 2's port: its two lowest lines, inverted, are the top of
// the VIC-II's addresses.
func (m *Machine) setBank(now uint64) {
	m.drawTo(now - m.vic.start)
	lines := m.cia[1].pra | ^m.cia[1].ddra
	m.vic.bank = uint16(^lines&3) << 14
}

// portA is what the CPU reads at the port's data register.
func (m *Machine) portA(n int) byte {
	c := &m.cia[n]
	if n == 1 {
		return c.pra&c.ddra | ^c.ddra // serial bus: nobody pulls it
	}
	a, _ := m.keys.lines(c)
	return a
}

func (m *Machine) portB(n int) byte {
	c := &m.cia[n]
	if n == 1 {
		return c.prb&c.ddrb | ^c.ddrb
	}
	_, b := m.keys.lines(c)
	return b
}

func (m *Machine) resetCIA() {
	for i := range m.cia {
		m.cia[i] = cia{next: never}
		m.cia[i].ta.latch, m.cia[i].tb.latch = 0xffff, 0xffff
		m.cia[i].tb.isB = true
		m.cia[i].tod.init(m.std, m.clk)
	}
}

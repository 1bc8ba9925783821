package acia

// clock times bytes that follow one another, without losing the part of a cycle
// by which a byte is longer.
type clock struct {
	at   uint64 // cycle at which the byte in progress ends
	part uint64 // and the part of a cycle, in 1/baud
}

// next begins a byte of ten bits at the end of the last one, or now if that is
// longer ago.
func (c *clock) next(now, hz uint64, baud int) {
	from := c.at
	if c.at == never || c.at < now {
		from, c.part = now, 0
	}
	sum := hz*10 + c.part
	c.at = from + sum/uint64(baud)
	c.part = sum % uint64(baud)
}

// baud is the speed that the program chose; 0 where there is none.
func (d *Device) baud() int {
	n := d.control & 0x0f
	if n == 0 && d.cfg.Profile.Fast {
		return fastBauds[d.fast]
	}
	return bauds[n]
}

// wrongSpeed says whether the two ends of the line misread each other.
func (d *Device) wrongSpeed() bool {
	return d.cfg.LineBaud != 0 && d.baud() != 0 && d.cfg.LineBaud != d.baud()
}

// garble is what is read of a byte at the wrong speed.
func (d *Device) garble(c byte) byte {
	if d.wrongSpeed() {
		return c ^ byte(d.rnd.Uint32())
	}
	return c
}

// idlePoll is how often an idle receiver looks at the line, in cycles: about
// every half byte at the highest speed of a SwiftLink.
const idlePoll = 128

// Next implements machine.Expansion.
func (d *Device) Next() uint64 { return min(d.rx.at, d.tx.at) }

// Advance implements machine.Expansion.
func (d *Device) Advance(now uint64) {
	for {
		switch next := d.Next(); {
		case next > now:
			return
		case d.rx.at == next:
			d.receive(next)
		default:
			d.sent(next)
		}
	}
}

package acia

// receive is the end of a byte on its way in, or a look at an idle line.
func (d *Device) receive(now uint64) {
	if d.arriving {
		d.arriving = false
		d.arrived(d.inByte)
	}
	d.rx.at = now // the next one begins here, at the earliest
	d.startReceiving(now)
}

// arrived puts a byte into the register, or loses it.
func (d *Device) arrived(c byte) {
	d.received++
	if !d.on() {
		d.lost++
		return
	}
	if d.full {
		d.overrun = true
		d.lost++
	} else {
		d.data, d.full, d.framing = d.garble(c), true, d.wrongSpeed()
	}
	if d.command&cmdNoRxIRQ == 0 {
		d.irq = true
	}
}

// startReceiving begins with the next byte, if there is one and it may come.
func (d *Device) startReceiving(now uint64) {
	if d.arriving {
		return
	}
	if d.baud() == 0 {
		d.rx.at = never
		return
	}
	if c, ok := d.take(); ok {
		if d.rx.at > now {
			d.rx.at = never // it only waited to look at the line
		}
		d.arriving, d.inByte = true, c
		d.rx.next(now, d.cfg.Hz, d.baud())
		return
	}
	if d.rx.at == never || d.rx.at <= now {
		d.rx = clock{at: now + idlePoll}
	}
}

// take gets the next byte from the line, as far as RTS lets it come.
func (d *Device) take() (byte, bool) {
	held := !d.RTS() || d.cfg.Profile.Pushback && d.full
	if fifo := d.cfg.Profile.FIFO; fifo > 0 {
		for len(d.fifo) < fifo {
			c, ok := d.line.take()
			if !ok {
				break
			}
			d.fifo = append(d.fifo, c)
		}
		if held || len(d.fifo) == 0 {
			return 0, false
		}
		c := d.fifo[0]
		d.fifo = d.fifo[1:]
		return c, true
	}
	if held && d.credit == 0 {
		return 0, false
	}
	c, ok := d.line.take()
	if ok && held {
		d.credit--
	}
	return c, ok
}

package acia

// room is how many bytes can wait in front of the shift register.
func (d *Device) room() int { return max(d.cfg.Profile.FIFO, 1) }

// empty is TDRE: another byte can be written.
func (d *Device) empty() bool { return len(d.holding) < d.room() }

// transmit takes a byte that the program wrote.
func (d *Device) transmit(c byte, now uint64) {
	if !d.empty() {
		d.cfg.Violate("acia: data written while TDRE is 0: a byte is lost")
		d.holding = d.holding[:d.room()-1]
	}
	d.holding = append(d.holding, c)
	d.startSending(now)
}

// startSending moves a byte into the shift register, if the transmitter runs.
func (d *Device) startSending(now uint64) {
	if d.sending {
		return
	}
	if d.tx.at > now {
		d.tx.at = never // it only waited to look at CTS
	}
	if len(d.holding) == 0 || !d.on() || d.baud() == 0 || d.cfg.Profile.StopsTX && !d.RTS() {
		return
	}
	if !d.line.clear() {
		d.tx = clock{at: now + idlePoll}
		return
	}
	wasEmpty := d.empty()
	d.sending, d.outByte = true, d.holding[0]
	d.holding = d.holding[1:]
	d.tx.next(now, d.cfg.Hz, d.baud())
	if !wasEmpty && d.command&cmdTransmit == cmdTxIRQ {
		d.irq = true
	}
}

// sent is the end of a byte on its way out, or a look at CTS.
func (d *Device) sent(now uint64) {
	if d.sending {
		d.sending = false
		d.delivered++
		d.line.give(d.garble(d.outByte))
	}
	d.startSending(now)
	if d.tx.at <= now {
		d.tx.at = never
	}
}

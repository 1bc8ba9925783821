package uci

// Registers, counted from $DF18.
const (
	regBusID   = 3
	regControl = 4
	regCommand = 5
	regData    = 6
	regStatus  = 7
)

// ids of a device that is switched on.
const (
	idOn        = 0xc9
	idInterrupt = 0x49
	softIEC     = 0x0b
)

// Load reads a register; reading the queues moves their pointers.
func (d *Device) Load(reg byte, now uint64) byte {
	d.Advance(now)
	if d.faults.off {
		return 0xff
	}
	switch reg {
	case regBusID:
		return softIEC
	case regControl:
		return d.status()
	case regCommand:
		if d.irq {
			return idInterrupt
		}
		return idOn
	case regData:
		d.irq = false
		return take(d.resp, &d.respAt)
	case regStatus:
		d.irq = false
		return take(d.text, &d.textAt)
	}
	return 0xff
}

// take reads a queue. Its pointer stops at the last place, so that a full queue
// never runs empty; and it moves on even where there is nothing.
func take(queue []byte, at *int) byte {
	v := byte(0)
	if *at < len(queue) {
		v = queue[*at]
	}
	if *at < queueSize-1 {
		*at++
	}
	return v
}

func (d *Device) status() byte {
	v := d.state << 4
	set := func(on bool, bit byte) {
		if on {
			v |= bit
		}
	}
	data := d.state >= stateLast
	set(data && d.respAt < len(d.resp), 0x80)
	set(data && d.textAt < len(d.text), 0x40)
	set(d.failed, 0x08)
	set(d.aborting, 0x04)
	set(d.acking, 0x02)
	set(d.busy, 0x01)
	return v
}

// Store writes a register.
func (d *Device) Store(reg, v byte, now uint64) {
	d.Advance(now)
	if d.faults.off {
		return
	}
	switch reg {
	case regControl:
		d.control(v, now)
	case regCommand:
		if d.busy {
			d.cfg.Violate("uci: command byte written while CMD_BUSY: it is lost")
		}
		d.cmd[d.cmdLen] = v
		if d.cmdLen < maxCommand {
			d.cmdLen++
		} else {
			d.cfg.Violate("uci: command longer than 895 bytes")
		}
	}
}

func (d *Device) control(v byte, now uint64) {
	if v&ctlDMA != 0 {
		d.cfg.Violate("uci: DMA or TRIGGER set: the control register must be written, not modified")
	}
	if v&ctlClear != 0 {
		d.failed = false
	}
	if v&ctlAck != 0 {
		d.acknowledge(now)
	}
	if v&ctlAbort != 0 {
		d.abort(now)
	}
	if v&ctlPush != 0 {
		d.push(now, v&ctlIRQ != 0)
	}
}

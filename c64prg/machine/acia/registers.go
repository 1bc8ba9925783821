package acia

// Registers, counted from $DE00.
const (
	regData    = 0
	regStatus  = 1
	regCommand = 2
	regControl = 3
	regFast    = 7
)

// Bits of the status register.
const (
	statusFraming = 1 << 1
	statusOverrun = 1 << 2
	statusRDRF    = 1 << 3
	statusTDRE    = 1 << 4
	statusDCD     = 1 << 5 // set: no carrier
	statusDSR     = 1 << 6 // set: not ready
	statusIRQ     = 1 << 7
)

// Bits of the command register.
const (
	cmdDTR      = 1 << 0
	cmdNoRxIRQ  = 1 << 1
	cmdTransmit = 3 << 2
	cmdTxIRQ    = 1 << 2 // in cmdTransmit: RTS on, interrupt when empty
	cmdReset    = 0x02   // what a reset leaves
)

// reg is the register that an address means; ok is false where there is none.
func (d *Device) reg(reg byte) (byte, bool) {
	if d.cfg.Profile.Mirrored {
		reg &= 3
	}
	return reg, reg <= regControl || reg == regFast && d.cfg.Profile.Fast
}

// Load implements machine.Expansion.
func (d *Device) Load(reg byte, now uint64) (byte, bool) {
	reg, ok := d.reg(reg)
	if !ok {
		return 0, false
	}
	switch reg {
	case regData:
		d.full, d.overrun, d.framing = false, false, false
		d.startReceiving(now)
		return d.data, true
	case regStatus:
		v := d.status()
		d.irq = false
		return v, true
	case regCommand:
		return d.command, true
	case regFast:
		if d.control&0x0f == 0 {
			return d.fast | 4, true
		}
		return d.fast, true
	}
	return d.control, true
}

func (d *Device) status() (v byte) {
	set := func(on bool, bit byte) {
		if on {
			v |= bit
		}
	}
	set(d.framing, statusFraming)
	set(d.overrun, statusOverrun)
	set(d.full, statusRDRF)
	set(d.empty(), statusTDRE)
	set(!d.carrier, statusDCD|statusDSR)
	set(d.irq, statusIRQ)
	return v
}

// Store implements machine.Expansion.
func (d *Device) Store(reg byte, v byte, now uint64) {
	reg, ok := d.reg(reg)
	if !ok {
		return
	}
	switch reg {
	case regData:
		d.transmit(v, now)
	case regStatus: // a reset by program
		d.overrun, d.irq = false, false
		left := byte(cmdReset)
		if d.cfg.Rockwell {
			left = 0
		}
		d.setCommand(d.command&0xe0|left, now)
	case regCommand:
		d.setCommand(v, now)
	case regControl:
		d.control = v
	case regFast:
		d.fast = v & 3
	}
	d.startReceiving(now)
	d.startSending(now)
}

func (d *Device) setCommand(v byte, now uint64) {
	was := d.RTS()
	d.command = v
	if was && !d.RTS() {
		d.credit = d.cfg.Overshoot
	}
	d.line.setRTS(d.RTS() && d.on())
	if v&cmdTransmit == cmdTxIRQ && d.on() && d.empty() {
		d.irq = true
	}
	if !d.on() {
		d.irq = false
	}
}

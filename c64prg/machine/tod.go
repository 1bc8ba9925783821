package machine

// tod is a CIA's time of day: tenths, seconds, minutes and hours in BCD, driven
// by the mains.
type tod struct {
	t, alarm, latched [4]byte
	isLatched         bool
	stopped           bool
	setAlarm          bool
	divide            uint64 // mains pulses a tenth
	hz, mains         uint64
	base              uint64 // cycle of the last tick
}

func (d *tod) init(s Standard, now uint64) {
	*d = tod{hz: s.Hz, mains: s.Mains, divide: 6, base: now, stopped: true}
	d.t[3] = 1
}

func (d *tod) tick() uint64 { return d.divide * d.hz / d.mains }

func (d *tod) due() uint64 {
	if d.stopped {
		return never
	}
	return d.base + d.tick()
}

// advance ticks up to now and says whether the alarm was met.
func (d *tod) advance(now uint64) bool {
	met := false
	for d.due() <= now {
		d.base += d.tick()
		d.step()
		met = met || d.t == d.alarm
	}
	return met
}

func (d *tod) step() {
	d.t[0]++
	if d.t[0] < 10 {
		return
	}
	d.t[0] = 0
	for i := 1; i <= 2; i++ {
		d.t[i] = bcdInc(d.t[i])
		if d.t[i] < 0x60 {
			return
		}
		d.t[i] = 0
	}
	h, pm := d.t[3]&0x1f, d.t[3]&0x80
	h = bcdInc(h)
	if h == 0x12 {
		pm ^= 0x80
	}
	if h == 0x13 {
		h = 1
	}
	d.t[3] = h | pm
}

func bcdInc(v byte) byte {
	v++
	if v&0x0f > 9 {
		v += 6
	}
	return v
}

// load reads a part; hours freeze the reading until tenths are read.
func (d *tod) load(i byte) byte {
	if i == 3 && !d.isLatched {
		d.isLatched, d.latched = true, d.t
	}
	v := d.t[i]
	if d.isLatched {
		v = d.latched[i]
	}
	if i == 0 {
		d.isLatched = false
	}
	return v
}

// store sets clock or alarm; hours stop the clock until tenths are written.
func (d *tod) store(i, v byte, now uint64) {
	if d.setAlarm {
		d.alarm[i] = v
		return
	}
	d.t[i] = v
	switch i {
	case 3:
		d.stopped = true
	case 0:
		if d.stopped {
			d.stopped, d.base = false, now
		}
	}
}

// setInput follows control register A: bit 7 says that the mains have 50 Hz.
func (d *tod) setInput(ctrl byte, now uint64) {
	div := uint64(6)
	if ctrl&0x80 != 0 {
		div = 5
	}
	if div != d.divide {
		d.divide, d.base = div, now
	}
}

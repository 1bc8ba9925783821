package machine

// timer is a CIA timer that counts system cycles (or, as timer B, the other
// one's underflows). val is its value at base while it runs, else its value.
type timer struct {
	latch, val uint16
	ctrl       byte
	isB        bool
	base       uint64
}

const (
	timerStart   = 1 << 0
	timerOneShot = 1 << 3
	timerForce   = 1 << 4
)

// source is what the timer counts: 0 cycles, 1 pulses on CNT (nothing is
// connected there), 2 and 3, on timer B alone, timer A's underflows.
func (t *timer) source() byte {
	if t.isB {
		return t.ctrl >> 5 & 3
	}
	return t.ctrl >> 5 & 1
}

func (t *timer) cascaded() bool { return t.source() >= 2 }

// running says whether the timer counts system cycles.
func (t *timer) running() bool { return t.ctrl&timerStart != 0 && t.source() == 0 }

func (t *timer) value(now uint64) uint16 {
	if !t.running() || now < t.base {
		return t.val
	}
	return t.val - uint16(now-t.base)
}

// underflow is the cycle of the next underflow.
func (t *timer) underflow() uint64 {
	if !t.running() {
		return never
	}
	return t.base + uint64(t.val) + 1
}

// advance takes the underflows up to now and returns how many there were.
func (t *timer) advance(now uint64) uint64 {
	u := t.underflow()
	if u > now {
		return 0
	}
	n := uint64(1)
	if t.ctrl&timerOneShot != 0 {
		t.ctrl &^= timerStart
	} else {
		period := uint64(t.latch) + 1
		n += (now - u) / period
		t.base = u + (n-1)*period
	}
	t.val = t.latch
	return n
}

// count takes n underflows of timer A and says whether this one underflowed.
func (t *timer) count(n, now uint64) bool {
	hit := false
	for ; n > 0 && t.ctrl&timerStart != 0; n-- {
		if t.val > 0 {
			t.val--
			continue
		}
		hit = true
		t.val = t.latch
		if t.ctrl&timerOneShot != 0 {
			t.ctrl &^= timerStart
		}
	}
	t.base = now
	return hit
}

func (t *timer) setLatch(half, v byte, now uint64) {
	if half == 0 {
		t.latch = t.latch&0xff00 | uint16(v)
		return
	}
	t.latch = t.latch&0x00ff | uint16(v)<<8
	if t.ctrl&timerStart == 0 {
		t.val = t.latch
	}
}

func (t *timer) control(v byte, now uint64) {
	t.val = t.value(now)
	t.base = now
	if v&timerForce != 0 {
		t.val = t.latch
	}
	t.ctrl = v &^ timerForce
}

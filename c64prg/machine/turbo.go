package machine

// turbo is an Ultimate 64's faster CPU: mhz CPU cycles pass in one cycle of the
// system clock.
type turbo struct {
	mhz   uint64 // in effect now; 1 is a plain C64
	reg   byte   // $D031 as it was written
	fast  uint64 // what the program can switch to
	fixed bool
	part  uint64 // CPU cycles that do not make a system cycle yet
	last  uint64 // last access to the UCI
	used  bool   // there was one
}

// uciGap is how far apart accesses to the UCI must be in turbo: reported on
// hardware by JC-000/c64-test-harness, docs/uci_networking.md.
const uciGapMicros = 38

func newTurbo(mhz int, fixed bool) turbo {
	n := uint64(max(mhz, 1))
	return turbo{mhz: n, fast: n, reg: 0x8f, fixed: fixed}
}

func (t *turbo) convert(n uint64) uint64 {
	t.part += n
	sys := t.part / t.mhz
	t.part %= t.mhz
	return sys
}

// load is $D031: $FF where the register is not offered.
func (t *turbo) load() byte {
	if t.fixed || t.fast == 1 {
		return 0xff
	}
	return t.reg
}

// store switches the speed: a low nibble of 0 is 1 MHz.
func (t *turbo) store(v byte) {
	if t.fixed || t.fast == 1 {
		return
	}
	t.reg, t.mhz = v, t.fast
	if v&0x0f == 0 {
		t.mhz = 1
	}
}

// tooSoon says whether an access to the UCI comes too early to work.
func (m *Machine) tooSoon(now uint64) bool {
	t := &m.turbo
	soon := t.mhz > 1 && t.used && now-t.last < uciGapMicros*m.std.Hz/1_000_000
	t.last, t.used = now, true
	if soon {
		m.Violate("uci: touched again too soon in turbo: the access is lost")
	}
	return soon
}

// SetTurbo changes the speed as the Ultimate's menu does, while a program runs:
// 1 is a plain C64.
func (m *Machine) SetTurbo(mhz int) {
	n := uint64(max(mhz, 1))
	m.turbo.fast, m.turbo.mhz, m.turbo.part = n, n, 0
}

package machine

import "testing"

func TestTurboRunsMoreInstructionsInAFrame(t *testing.T) {
	count := func(mhz int) uint64 {
		m := started(t, Options{TurboMHz: mhz}, 1, join(banks(0x35), put(0xd011, 0x0b))...)
		before := m.cpu.Cycles
		if err := m.RunFrames(10); err != nil {
			t.Fatal(err)
		}
		return m.cpu.Cycles - before
	}
	if ratio := float64(count(16)) / float64(count(1)); ratio < 15.5 || ratio > 16.5 {
		t.Errorf("16 MHz runs %.2f times as much", ratio)
	}
}

func TestTurboRegisterSwitchesTo1MHz(t *testing.T) {
	m := started(t, Options{TurboMHz: 8}, 1, join(banks(0x35), put(0xd031, 0x00))...)
	if m.turbo.mhz != 1 {
		t.Errorf("%d MHz behind $D031 = 0", m.turbo.mhz)
	}
	m = started(t, Options{TurboMHz: 8, TurboFixed: true}, 1, join(banks(0x35), put(0xd031, 0x00), copyByte(0xd031, 0x2000))...)
	if m.turbo.mhz != 8 {
		t.Error("a fixed turbo was switched")
	}
	m.want(t, 0x2000, 0xff)
	m = started(t, Options{}, 1, join(banks(0x35), put(0xd031, 0x0f), copyByte(0xd031, 0x2000))...)
	if m.turbo.mhz != 1 {
		t.Error("a plain C64 went into turbo")
	}
	m.want(t, 0x2000, 0xff)
}

// TestUCIMisreadsWhenTouchedTooSoonInTurbo: two reads of the id in a row.
func TestUCIMisreadsWhenTouchedTooSoonInTurbo(t *testing.T) {
	code := join(banks(0x35), copyByte(0xdf1d, 0x2000), copyByte(0xdf1d, 0x2001))
	m := started(t, Options{TurboMHz: 48}, 1, code...)
	m.want(t, 0x2000, 0xc9, 0xff)
	if n := len(m.Notes()); n != 1 {
		t.Errorf("%d notes of it", n)
	}
	m = started(t, Options{}, 1, code...)
	m.want(t, 0x2000, 0xc9, 0xc9)
}

func TestTurboCanBeSwitchedWhileAProgramRuns(t *testing.T) {
	m := started(t, Options{}, 1, banks(0x35)...)
	ran := func() uint64 {
		before := m.cpu.Cycles
		if err := m.RunFrames(4); err != nil {
			t.Fatal(err)
		}
		return m.cpu.Cycles - before
	}
	plain := ran()
	m.SetTurbo(8)
	if fast := ran(); fast < 7*plain {
		t.Errorf("at 8 MHz %d cycles, at 1 MHz %d", fast, plain)
	}
	m.SetTurbo(1)
	if again := ran(); again > plain+plain/10 {
		t.Errorf("back at 1 MHz %d cycles, before %d", again, plain)
	}
}

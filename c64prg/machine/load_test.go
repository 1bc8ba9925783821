package machine

import (
	"strings"
	"testing"
)

func TestLoadFindsTheSYSAddress(t *testing.T) {
	for line, want := range map[string]uint16{
		"\x9e2061\x00":              2061,
		"\x9e 2064\x00":             2064,
		"\x8f\x3a\x9e4096:\xa2\x00": 4096,
	} {
		body := "\x01\x08\x0b\x08\x0a\x00" + line + "\x00\x00"
		m := New(Options{})
		if err := m.Load([]byte(body)); err != nil {
			t.Errorf("%q: %v", line, err)
		} else if m.cpu.Reg.PC != want {
			t.Errorf("%q: starts at %d, want %d", line, m.cpu.Reg.PC, want)
		}
		m.Close()
	}
}

func TestLoadRefusesWhatRUNCannotStart(t *testing.T) {
	for want, prg := range map[string]string{
		"too short":  "\x01",
		"$C000":      "\x00\xc0\x60\x60",
		"no SYS":     "\x01\x08\x0b\x08\x0a\x00\x99\x22HI\x22\x00\x00\x00",
		"no address": "\x01\x08\x0b\x08\x0a\x00\x9e\x00\x00\x00",
		"$CFFF":      "\x01\x08" + strings.Repeat("x", 0xc800),
	} {
		m := New(Options{})
		if err := m.Load([]byte(prg)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
		m.Close()
	}
}

func TestProgramStartsAsBASICLeavesTheMachine(t *testing.T) {
	m := New(Options{})
	defer m.Close()
	if err := m.Load(program(0xea)); err != nil {
		t.Fatal(err)
	}
	m.want(t, 0, 0x2f, 0x37)
	m.want(t, 0x0400, ' ', ' ')
	text := m.Text()
	if text.Border != 14 || text.Paper != 6 || text.Colours[999] != 14 || text.Lower || text.RAMFont || m.Blank() {
		t.Errorf("screen: %d %d", text.Border, text.Paper)
	}
	r := m.cpu.Reg
	if r.InterruptDisable || r.Decimal || r.SP != basicSP {
		t.Errorf("registers: %+v", r)
	}
	if m.cia[0].mask != icrTA || m.cia[0].ta.ctrl&1 == 0 {
		t.Error("the jiffy interrupt does not run")
	}
}

func TestResetKeepsRAMAndClearsChips(t *testing.T) {
	m := started(t, Options{}, 1, join(banks(0x35), put(0xc000, 0x64), put(0xd020, 2), put(0xd01a, 1), put(0xdd0d, 0x81))...)
	m.KeyDown(KeyA)
	m.Reset()
	m.want(t, 0xc000, 0x64)
	if m.vic.mask != 0 || m.cia[1].mask != 0 || m.port.data != 0x37 {
		t.Error("a chip kept its state")
	}
	if err := m.Load(program(loop(nil)...)); err != nil {
		t.Fatal(err)
	}
	if err := m.RunFrames(2); err != nil {
		t.Error(err)
	}
}

func TestResetEndsAFailure(t *testing.T) {
	m := New(Options{})
	defer m.Close()
	if err := m.Load(program(0x02)); err != nil {
		t.Fatal(err)
	}
	if m.RunFrames(1) == nil {
		t.Fatal("no failure")
	}
	m.Reset()
	if err := m.Load(program(loop(nil)...)); err != nil {
		t.Fatal(err)
	}
	if err := m.RunFrames(1); err != nil {
		t.Error(err)
	}
}

func TestPowerCycleForgetsRAM(t *testing.T) {
	m := New(Options{})
	defer m.Close()
	m.Poke(0xc000, 0x64)
	m.PowerCycle()
	m.want(t, 0xc000, 0x00)
}

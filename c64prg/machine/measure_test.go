package machine

import (
	"strings"
	"testing"
)

const labelFile = "al 00080D .start\nal 000810 .inner\nal 000801 .__EXEHDR__\nal 00D020 .BORDER\n"

func TestLabelsNameAddresses(t *testing.T) {
	l, err := ReadLabels(strings.NewReader(labelFile))
	if err != nil {
		t.Fatal(err)
	}
	if a, ok := l.Addr("inner"); !ok || a != 0x0810 {
		t.Errorf("inner is $%04X", a)
	}
	if _, ok := l.Addr("nothing"); ok {
		t.Error("nothing has an address")
	}
	if n, off, ok := l.At(0x0812); !ok || n != "inner" || off != 2 {
		t.Errorf("$0812 is %s+%d", n, off)
	}
	if _, _, ok := l.At(0x0100); ok {
		t.Error("an address before all symbols has a name")
	}
	if _, err := ReadLabels(strings.NewReader("start = $080d\n")); err == nil {
		t.Error("a file of another kind was taken")
	}
}

func TestProfileSumsByLabel(t *testing.T) {
	m := New(Options{})
	defer m.Close()
	l, err := ReadLabels(strings.NewReader(labelFile))
	if err != nil {
		t.Fatal(err)
	}
	m.SetLabels(l)
	// start: SEI, NOP, NOP; inner: NOP, JMP inner
	if err := m.Load(program(0x78, 0xea, 0xea, 0xea, 0x4c, 0x10, 0x08)); err != nil {
		t.Fatal(err)
	}
	m.Profile()
	if err := m.Run(10_000); err != nil {
		t.Fatal(err)
	}
	costs := m.Costs()
	if len(costs) != 2 || costs[0].Name != "inner" || costs[1] != (Cost{"start", 6}) {
		t.Errorf("costs %v", costs)
	}
	if n := m.RangeCycles(0x080d, 0x0814); n < 10_000 || n > 10_050 {
		t.Errorf("the whole took %d cycles", n)
	}
	m.StopProfile()
	if m.Costs() != nil || m.RangeCycles(0, 0xffff) != 0 {
		t.Error("the profile did not end")
	}
}

func TestSIDWritesAreLoggedWithTheirCycle(t *testing.T) {
	m := started(t, Options{}, 1, join(banks(0x35), put(0xd418, 0x0f), put(0xd404, 0x11), copyByte(0xd419, 0x2000))...)
	log := m.SIDLog()
	if len(log) != 2 || log[0].Reg != 24 || log[0].Value != 15 || log[1].Reg != 4 {
		t.Fatalf("log %v", log)
	}
	if d := log[1].Cycle - log[0].Cycle; d != 6 {
		t.Errorf("the writes are %d cycles apart, want 6", d)
	}
	m.want(t, 0x2000, 0xff)
	m.ClearSID()
	if len(m.SIDLog()) != 0 {
		t.Error("the log stays")
	}
}

func TestSIDLogIsBounded(t *testing.T) {
	var s sid
	for i := range sidLog + 10 {
		s.store(0, byte(i), uint64(i))
	}
	if n := len(s.log); n > sidLog || s.log[n-1].Cycle != sidLog+9 {
		t.Errorf("%d entries", n)
	}
}

func TestNoiseOfOscillatorThreeChanges(t *testing.T) {
	var s sid
	s.store(14, 0xff, 0)
	s.store(15, 0xff, 0)
	s.store(18, 0x81, 0)
	seen := map[byte]bool{}
	for i := range uint64(64) {
		seen[s.load(0x1b, i*37)] = true
	}
	if len(seen) < 16 || s.load(0x1c, 0) != 0xff {
		t.Errorf("%d values", len(seen))
	}
}

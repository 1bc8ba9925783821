package machine

import "testing"

// program makes a PRG with the usual SYS line and code at $080D.
func program(code ...byte) []byte {
	return append([]byte{0x01, 0x08, 0x0b, 0x08, 0xe8, 0x07, 0x9e, '2', '0', '6', '1', 0, 0, 0}, code...)
}

func TestSmoke(t *testing.T) {
	m := New(Options{})
	defer m.Close()
	// sei; lda #$35; sta 1; inc $d020; jmp *-3
	if err := m.Load(program(0x78, 0xa9, 0x35, 0x85, 1, 0xee, 0x20, 0xd0, 0x4c, 0x12, 0x08)); err != nil {
		t.Fatal(err)
	}
	if err := m.RunFrames(50); err != nil {
		t.Fatal(err)
	}
}

func BenchmarkMachineBusyLoop(b *testing.B) {
	m := New(Options{})
	defer m.Close()
	if err := m.Load(program(0x78, 0xa9, 0x35, 0x85, 1, 0xee, 0x20, 0xd0, 0x4c, 0x12, 0x08)); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := m.RunFrames(50); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()*50/50.12, "x-real")
}

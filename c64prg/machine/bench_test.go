package machine

import (
	"testing"

	"github.com/prompt64/prompt64/c64prg"
)

// speed runs one emulated second at a time and reports it in times of a C64's.
func speed(b *testing.B, prg []byte, prepare func(m *Machine)) {
	m := New(Options{})
	defer m.Close()
	if err := m.Load(prg); err != nil {
		b.Fatal(err)
	}
	prepare(m)
	for b.Loop() {
		if err := m.Run(PAL.Hz); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "x-real")
}

// BenchmarkMachineProgram is the project's program at its connect screen, with
// raster interrupt, keyboard scan and picture.
func BenchmarkMachineProgram(b *testing.B) {
	speed(b, c64prg.Program(), func(*Machine) {})
}

// BenchmarkMachineProfiled is the same with the profiler, the slow loop.
func BenchmarkMachineProfiled(b *testing.B) {
	speed(b, c64prg.Program(), func(m *Machine) { m.Profile() })
}

// BenchmarkMachineIO is a loop that does little but I/O.
func BenchmarkMachineIO(b *testing.B) {
	speed(b, program(loop(join(banks(0x35), []byte{0xee, 0x20, 0xd0, 0xad, 0x1c, 0xdf, 0xad, 0x12, 0xd0, 0x4c, 0x12, 0x08}))...),
		func(*Machine) {})
}

// BenchmarkMachineMemory is a loop that copies memory.
func BenchmarkMachineMemory(b *testing.B) {
	speed(b, program(join(banks(0x35), []byte{0xbd, 0x00, 0x20, 0x9d, 0x00, 0x04, 0xe8, 0xd0, 0xf7, 0x4c, 0x12, 0x08})...),
		func(*Machine) {})
}

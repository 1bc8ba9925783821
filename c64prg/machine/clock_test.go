package machine

import (
	"testing"

	"pgregory.net/rapid"
)

// slowTimer is a CIA timer that counts cycle by cycle.
type slowTimer struct {
	latch, val uint16
	run, once  bool
	hits       uint64
}

func (s *slowTimer) tick() {
	if !s.run {
		return
	}
	if s.val > 0 {
		s.val--
		return
	}
	s.hits++
	s.val = s.latch
	if s.once {
		s.run = false
	}
}

// TestTimerEqualsOneThatCountsEveryCycle: computing a timer only when somebody
// looks must not show.
func TestTimerEqualsOneThatCountsEveryCycle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fast, slow := &timer{}, &slowTimer{}
		now, hits := uint64(0), uint64(0)
		for range rapid.IntRange(1, 30).Draw(t, "acts") {
			switch rapid.IntRange(0, 3).Draw(t, "act") {
			case 0:
				v := rapid.Uint16Range(0, 300).Draw(t, "latch")
				fast.setLatch(0, byte(v), now)
				fast.setLatch(1, byte(v>>8), now)
				slow.latch = v
				if !slow.run {
					slow.val = v
				}
			case 1:
				ctrl := rapid.SampledFrom([]byte{0x00, 0x01, 0x09, 0x11, 0x19, 0x10}).Draw(t, "ctrl")
				fast.control(ctrl, now)
				slow.run, slow.once = ctrl&1 != 0, ctrl&8 != 0
				if ctrl&0x10 != 0 {
					slow.val = slow.latch
				}
			default:
				for range rapid.IntRange(0, 700).Draw(t, "cycles") {
					now++
					slow.tick()
				}
				hits += fast.advance(now)
			}
			if got := fast.value(now); got != slow.val || hits != slow.hits {
				t.Fatalf("cycle %d: value %d after %d underflows, want %d after %d", now, got, hits, slow.val, slow.hits)
			}
		}
	})
}

// TestRasterReadsRightInEveryCycle: $D011 and $D012 against the cycle count.
func TestRasterReadsRightInEveryCycle(t *testing.T) {
	for _, std := range standards {
		m := New(Options{Standard: std})
		m.op = 0xea
		for c := range std.Frame() * 2 {
			m.clk = c
			for m.clk >= m.vic.next {
				at := m.clk
				m.vicEvent()
				m.clk = at // what a bad line steals is not the question here
			}
			want := int(c/std.Line) % std.Lines
			got := int(m.vicLoad(0x12, c)) | int(m.vicLoad(0x11, c)&0x80)<<1
			if got != want {
				t.Fatalf("%s cycle %d: line %d, want %d", std.Name, c, got, want)
			}
		}
		m.Close()
	}
}

// TestProgramsSeeTheSameWhateverTheSliceIs: running in small steps or large ones
// must give the same machine.
func TestProgramsSeeTheSameWhateverTheSliceIs(t *testing.T) {
	state := func(step uint64) (uint64, [64]byte, [65536]byte) {
		m := New(Options{NoUCI: true})
		defer m.Close()
		if err := m.Load(program(loop(rasterIRQ(120))...)); err != nil {
			t.Fatal(err)
		}
		end := 8 * PAL.Frame()
		for m.Clock() < end {
			if err := m.Run(min(step, end-m.Clock())); err != nil {
				t.Fatal(err)
			}
		}
		return m.Clock(), m.vic.reg, m.ram
	}
	clk, reg, ram := state(PAL.Frame())
	for _, step := range []uint64{1, 7, 63, 1000} {
		c, r, mem := state(step)
		if c != clk || r != reg || mem != ram {
			t.Errorf("steps of %d end in another state (cycle %d, want %d)", step, c, clk)
		}
	}
}

package stats

import (
	"math"
	"testing"
)

func TestPercentileIsAValueThatSoManyDoNotExceed(t *testing.T) {
	var s Sample
	for v := 200; v >= 1; v-- {
		s = append(s, float64(v))
	}
	for p, want := range map[float64]float64{0: 1, 0.5: 1, 1: 2, 50: 100, 99: 198, 99.5: 199, 100: 200} {
		if got := s.Percentile(p); got != want {
			t.Errorf("percentile %v of 1..200 = %v, want %v", p, got, want)
		}
	}
	if got := (Sample{7}).Percentile(99); got != 7 {
		t.Errorf("percentile of one value = %v", got)
	}
}

func TestMedianIsTheMiddleAndLeavesTheSampleAlone(t *testing.T) {
	odd, even := Sample{9, 1, 5}, Sample{4, 1, 3, 2}
	if got := odd.Median(); got != 5 {
		t.Errorf("median of %v = %v", odd, got)
	}
	if got := even.Median(); got != 2.5 {
		t.Errorf("median of %v = %v", even, got)
	}
	if odd[0] != 9 || even[0] != 4 {
		t.Errorf("the samples were reordered: %v %v", odd, even)
	}
}

func TestSpreadIsHalfTheRangeInMedians(t *testing.T) {
	for _, c := range []struct {
		s    Sample
		want float64
	}{
		{Sample{90, 100, 110}, 0.1},
		{Sample{-110, -90, -100}, 0.1},
		{Sample{5}, 0},
		{Sample{-1, 0, 1}, 0},
		{nil, 0},
	} {
		if got := c.s.Spread(); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("spread of %v = %v, want %v", c.s, got, c.want)
		}
	}
}

func TestAnEmptySampleHasNoValue(t *testing.T) {
	var s Sample
	for name, v := range map[string]float64{"median": s.Median(), "p99": s.Percentile(99), "max": s.Max()} {
		if !math.IsNaN(v) {
			t.Errorf("%s of nothing = %v, want NaN", name, v)
		}
	}
}

func TestZipPairsUpToTheShorter(t *testing.T) {
	got := Zip(Sample{3, 5, 9}, Sample{1, 2}, func(a, b float64) float64 { return a - b })
	if len(got) != 2 || got[0] != 2 || got[1] != 3 {
		t.Errorf("got %v", got)
	}
	if got := got.Map(func(v float64) float64 { return v * 10 }); got[1] != 30 || got.Max() != 30 {
		t.Errorf("mapped %v", got)
	}
}

package stats

import "time"

// Timer takes times. The zero value uses the system's clock.
type Timer struct {
	Now   func() time.Time // time.Now when nil
	Least time.Duration    // a measurement takes at least as long; 10 ms when zero
}

// maxRounds bounds a measurement of something that takes no time at all.
const maxRounds = 1 << 30

// PerOp calls f with growing numbers of rounds until one call takes long enough,
// and gives the nanoseconds of one round of it.
func (t Timer) PerOp(f func(rounds int)) float64 {
	now, least := t.Now, t.Least
	if now == nil {
		now = time.Now
	}
	if least == 0 {
		least = 10 * time.Millisecond
	}
	for n := 1; ; n *= 2 {
		start := now()
		f(n)
		took := now().Sub(start)
		if took >= least || n >= maxRounds {
			return float64(took.Nanoseconds()) / float64(n)
		}
	}
}

// Beside measures f and base in turns, so that whatever slows the machine down
// meanwhile slows down both; ratio is f to base, run by run.
func (t Timer) Beside(runs int, f, base func(rounds int)) (value, ratio Sample) {
	for range runs {
		v, b := t.PerOp(f), t.PerOp(base)
		value, ratio = append(value, v), append(ratio, v/b)
	}
	return value, ratio
}

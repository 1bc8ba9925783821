package stats

import (
	"testing"
	"time"
)

// clock is moved by what is measured.
type clock struct{ t time.Time }

func (c *clock) now() time.Time { return c.t }

func (c *clock) costs(d time.Duration, rounds *int) func(int) {
	return func(n int) {
		*rounds += n
		c.t = c.t.Add(time.Duration(n) * d)
	}
}

func TestPerOpRunsUntilItTookLongEnough(t *testing.T) {
	var c clock
	var rounds int
	timer := Timer{Now: c.now, Least: time.Millisecond}
	if got := timer.PerOp(c.costs(300*time.Nanosecond, &rounds)); got != 300 {
		t.Errorf("%v ns a round, want 300", got)
	}
	if rounds != 2*4096-1 { // the last call of 4096 rounds is the first over 1 ms
		t.Errorf("%d rounds", rounds)
	}
}

func TestPerOpEndsForWhatTakesNoTime(t *testing.T) {
	var c clock
	if got := (Timer{Now: c.now}).PerOp(func(int) {}); got != 0 {
		t.Errorf("%v ns", got)
	}
}

func TestBesideGivesRatiosRunByRun(t *testing.T) {
	var c clock
	var f, base int
	timer := Timer{Now: c.now, Least: time.Millisecond}
	value, ratio := timer.Beside(3, c.costs(400*time.Nanosecond, &f), c.costs(100*time.Nanosecond, &base))
	if len(value) != 3 || len(ratio) != 3 || value[2] != 400 || ratio[2] != 4 {
		t.Errorf("values %v, ratios %v", value, ratio)
	}
}

package stats

import (
	"testing"
	"time"
)

func TestOwnTimeCountsWorkAndNotWaiting(t *testing.T) {
	now, ok, release := Own()
	defer release()
	if !ok {
		t.Skip("no clock of a thread's own time on this system")
	}
	start := now()
	time.Sleep(50 * time.Millisecond)
	slept := now().Sub(start)
	sum := 0
	for worked := now(); now().Sub(worked) < 60*time.Millisecond; {
		sum++
	}
	if slept >= 50*time.Millisecond || sum == 0 {
		t.Errorf("sleeping cost %v, %d rounds of work", slept, sum)
	}
	if total := now().Sub(start); total < 60*time.Millisecond {
		t.Errorf("work of 60 ms cost %v", total)
	}
}

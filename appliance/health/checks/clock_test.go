package checks

import (
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/health"
)

var noon = time.Date(2027, time.May, 4, 12, 0, 0, 0, time.UTC)

// ran is a clock after ten minutes, in which it was set forward by so much.
func ran(set time.Duration) Clock {
	const ran = 10 * time.Minute
	return Clock{
		Wall:   func() time.Time { return noon.Add(ran + set) },
		Ran:    func() time.Duration { return ran },
		Start:  noon,
		Built:  noon.Add(-48 * time.Hour),
		Synced: func() bool { return false },
	}
}

func TestClockIsSetOnlyAfterTheProgramWasMade(t *testing.T) {
	says(t, check(t, ran(-50*time.Hour).Probe()), health.Fail, "is not set", "2027-05-02 10:10 UTC", "UDP port 123")
	says(t, check(t, ran(0).Probe()), health.OK, "not known", "2027-05-04 12:10 UTC")
}

func TestClockThatWasSetWhileTheProgramRanIsTold(t *testing.T) {
	says(t, check(t, ran(time.Hour).Probe()), health.OK, "set after the start")
	says(t, check(t, ran(-time.Hour).Probe()), health.Warn, "set back by 1h0m0s")
	says(t, check(t, ran(-time.Second).Probe()), health.OK, "not known")
	c := ran(-time.Hour)
	c.Synced = func() bool { return true }
	says(t, check(t, c.Probe()), health.OK, "from a time server")
}

func TestClockOfThisMachineIsRead(t *testing.T) {
	c := SystemClock()
	if c.Built.Before(released) {
		t.Errorf("it was built at %v", c.Built)
	}
	if n := check(t, c.Probe()); n.State != health.OK || n.Detail == "" {
		t.Errorf("node: %+v", n)
	}
}

func TestClockThatWasPutToTheBuildIsNotSetUntilSomebodySetsIt(t *testing.T) {
	c := ran(0)
	c.Floored = true
	says(t, check(t, c.Probe()), health.Fail, "is not set", "UDP port 123")
	set := ran(3 * time.Second)
	set.Floored = true
	synced := ran(0)
	synced.Floored, synced.Synced = true, func() bool { return true }
	if c.Set() || !set.Set() || !synced.Set() {
		t.Errorf("untouched: %v, set: %v, confirmed: %v", c.Set(), set.Set(), synced.Set())
	}
}

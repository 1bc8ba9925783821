package main

import (
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/guardlog"
)

// works makes rounds of a bridge that does not answer, and whose work goes on for so
// long, until so much later.
func (f *fake) works(t *testing.T, g *guard, work, later time.Duration) {
	t.Helper()
	f.bridge, f.pages = errDead, errDead
	for range int(work / every) {
		f.work = guardlog.Work{Beat: f.work.Beat + 1, What: "making a file system"}
		f.rounds(t, g, 1)
	}
	f.rounds(t, g, int(later/every))
}

func TestFirstStartThatSaysItWorksIsWaitedFor(t *testing.T) {
	f := newFake()
	g := f.boot(t)
	f.works(t, g, 10*time.Minute, still/2) // and then the bridge has a minute to answer
	f.bridge, f.pages = nil, nil
	f.rounds(t, g, 1)
	if len(f.did) > 0 {
		t.Fatalf("guard did %q", f.did)
	}
	f.works(t, g, failures*every, 0) // once it has answered, no work is a reason to be silent
	if f.count("restart") != 1 {
		t.Errorf("guard did %q", f.did)
	}
}

func TestFirstStartWhoseWorkHangsIsEnded(t *testing.T) {
	for name, goesOn := range map[string]time.Duration{"from the start": every, "in the middle": 5 * time.Minute} {
		f := newFake()
		g := f.boot(t)
		f.works(t, g, goesOn, still-every)
		if len(f.did) > 0 {
			t.Errorf("%s: too early: %q", name, f.did)
		}
		f.rounds(t, g, failures+1)
		if f.count("restart") != 1 {
			t.Errorf("%s: guard did %q", name, f.did)
		}
	}
}

// A card that gets on for ever, and never comes to an end, has the device start again,
// as often as any other trouble.
func TestFirstStartThatWorksForEverIsRebootedInTheEnd(t *testing.T) {
	f := newFake()
	for range maxReboots + 2 {
		g := f.boot(t)
		before := f.count("reboot")
		f.works(t, g, guardlog.WorkTime-every, 0)
		if f.count("reboot") != before {
			t.Fatalf("too early: %q", f.did)
		}
		f.works(t, g, restarts*(grace+(failures+1)*every), 0)
	}
	if f.count("reboot") != maxReboots {
		t.Errorf("guard did %q", f.did)
	}
}

func TestTrialIsNotPutOffByWork(t *testing.T) {
	f := newFake()
	g := f.boot(t)
	f.trial = true
	f.works(t, g, grace+failures*every, 0)
	if last, _ := f.disk.Last(); f.count("reboot") != 1 || last.Action != guardlog.EndedTrial {
		t.Errorf("guard did %q for %+v", f.did, last)
	}
}

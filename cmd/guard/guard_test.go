package main

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/guardlog"
)

var errDead = errors.New("connection refused")

func TestBridgeThatIsWellIsLeftAlone(t *testing.T) {
	f := newFake()
	g := f.boot(t)
	f.rounds(t, g, 2000)
	if len(f.did) > 0 {
		t.Errorf("guard did %q", f.did)
	}
	if ran := f.disk.Ran; ran < 2*time.Hour || ran > 3*time.Hour {
		t.Errorf("the time that the device ran is kept as %v", ran)
	}
}

func TestThirdFailureInARowWritesTheGoroutinesAndRestarts(t *testing.T) {
	for reason, spoil := range map[string]func(*fake){
		"the bridge does not answer":         func(f *fake) { f.bridge = errDead },
		"the pages do not answer":            func(f *fake) { f.pages = errDead },
		"holds 300 MiB of memory, more than": func(f *fake) { f.held = 300 << 20 },
	} {
		t.Run(reason, func(t *testing.T) {
			f := newFake()
			g := f.boot(t)
			g.memory = memoryLimit << 20
			f.rounds(t, g, 3)
			bridge, pages, held := f.bridge, f.pages, f.held
			spoil(f)
			f.rounds(t, g, failures-1)
			f.bridge, f.pages, f.held = bridge, pages, held
			f.rounds(t, g, 1) // one that is well in between
			spoil(f)
			f.rounds(t, g, failures-1)
			if len(f.did) > 0 {
				t.Fatalf("too early: %q", f.did)
			}
			f.rounds(t, g, 1)
			if want := []string{"dump", "restart"}; !slices.Equal(f.did, want) {
				t.Errorf("guard did %q", f.did)
			}
			if last, ok := f.disk.Last(); !ok || last.Action != guardlog.Restarted || !strings.Contains(last.Reason, reason) {
				t.Errorf("the reason is kept as %+v", last)
			}
		})
	}
}

func TestBridgeHasTimeToStart(t *testing.T) {
	f := newFake()
	f.bridge = errDead
	g := f.boot(t)
	f.rounds(t, g, int(grace/every)-1)
	if len(f.did) > 0 {
		t.Fatalf("too early: %q", f.did)
	}
	f.rounds(t, g, failures+1)
	if f.count("restart") != 1 {
		t.Fatalf("guard did %q", f.did)
	}
	f.rounds(t, g, int(grace/every)-1)
	if f.count("restart") != 1 {
		t.Errorf("no time after a restart: %q", f.did)
	}
}

func TestDumpThatFailsHindersNothing(t *testing.T) {
	f := newFake()
	f.noDump, f.bridge = errDead, errDead
	f.untilActs(t, f.boot(t))
	if f.count("restart") != 1 {
		t.Errorf("guard did %q", f.did)
	}
}

func TestThirdRestartWithinTenMinutesIsAReboot(t *testing.T) {
	f := newFake()
	g := f.boot(t)
	f.bridge = errDead
	for range restarts - 1 {
		f.untilActs(t, g)
	}
	if f.count("reboot") != 0 || f.count("restart") != restarts-1 {
		t.Fatalf("guard did %q", f.did)
	}
	f.untilActs(t, g)
	if f.count("reboot") != 1 {
		t.Errorf("guard did %q", f.did)
	}
	if last, _ := f.disk.Last(); last.Action != guardlog.Rebooted || len(f.disk.Reboots) != 1 {
		t.Errorf("kept as %+v, %v", last, f.disk.Reboots)
	}
}

func TestRestartsFarApartAreNoReasonForAReboot(t *testing.T) {
	f := newFake()
	g := f.boot(t)
	for range 10 {
		f.bridge = errDead
		f.untilActs(t, g)
		f.bridge = nil
		f.rounds(t, g, int(restartsIn/every)/2)
	}
	if f.count("reboot") != 0 || f.count("restart") != 10 {
		t.Errorf("guard did %q", f.did)
	}
}

// rebootsOf lets a bridge be dead for so many starts of the system.
func (f *fake) rebootsOf(t *testing.T, starts int) {
	t.Helper()
	f.bridge = errDead
	for range starts {
		before := f.count("reboot")
		g := f.boot(t)
		for range restarts {
			f.untilActs(t, g)
		}
		if f.count("reboot") == before {
			return
		}
	}
}

func TestThreeRebootsADayAreTheMostAndThenItStaysUpAndSaysWhy(t *testing.T) {
	f := newFake()
	f.rebootsOf(t, maxReboots+2)
	if f.count("reboot") != maxReboots {
		t.Fatalf("%d reboots", f.count("reboot"))
	}
	last, _ := f.disk.Last()
	if last.Action != guardlog.StayedUp || !strings.Contains(last.Reason, "does not answer") {
		t.Errorf("kept as %+v", last)
	}
	// It goes on restarting the bridge, and does not forget by that.
	g, before := f.boot(t), f.count("restart")
	for range 3 * guardlog.Kept {
		f.untilActs(t, g)
	}
	if f.count("reboot") != maxReboots || f.count("restart") != before+3*guardlog.Kept {
		t.Errorf("%d reboots, %d restarts", f.count("reboot"), f.count("restart")-before)
	}
}

func TestDayIsOverWhenBothClocksSaySo(t *testing.T) {
	for name, c := range map[string]struct {
		wall, ran time.Duration
		again     bool
	}{
		"a day on both":               {25 * time.Hour, 25 * time.Hour, true},
		"a clock that jumps ahead":    {20000 * time.Hour, time.Hour, false},
		"a clock that was set back":   {-20000 * time.Hour, 25 * time.Hour, true},
		"set back, and no day":        {-20000 * time.Hour, 2 * time.Hour, false},
		"a clock that stands still":   {0, 25 * time.Hour, false},
		"a device that is mostly off": {240 * time.Hour, 20 * time.Hour, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake()
			f.rebootsOf(t, maxReboots)
			f.bridge = nil
			g := f.boot(t)
			for range int(c.ran / (10 * time.Minute)) { // in pieces, so that it is kept
				f.now.up += 10 * time.Minute
				g.round(t.Context())
			}
			f.now.wall = f.now.wall.Add(c.wall)
			before := f.count("reboot")
			f.rebootsOf(t, 1)
			if got := f.count("reboot") > before; got != c.again {
				t.Errorf("rebooted: %v", got)
			}
		})
	}
}

func TestRebootThatCannotBeCountedIsNotDone(t *testing.T) {
	f := newFake()
	f.noDisk = errors.New("the disk is read-only")
	g := f.boot(t)
	f.bridge = errDead
	for range 3 * restarts {
		f.untilActs(t, g)
	}
	if f.count("reboot") != 0 || f.count("restart") != 3*restarts {
		t.Errorf("guard did %q", f.did)
	}
	if last, _ := g.log.Last(); last.Action != guardlog.StayedUp || !strings.Contains(last.Reason, "cannot be kept") {
		t.Errorf("noted as %+v", last)
	}
}

func TestGuardThatIsStartedAgainRemembersTheRestarts(t *testing.T) {
	f := newFake()
	f.bridge = errDead
	f.boot(t)
	for range restarts {
		g := newGuard(f) // on the same start of the system
		g.log = f.disk
		g.starting()
		f.untilActs(t, g)
	}
	if f.count("reboot") != 1 {
		t.Errorf("guard did %q", f.did)
	}
}

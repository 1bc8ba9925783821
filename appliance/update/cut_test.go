package update_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/update"
	"github.com/prompt64/prompt64/appliance/update/updatetest"
)

// atRest are the phases that wait for nothing.
var atRest = []update.Phase{update.Idle, update.Settled, update.RolledBack}

// stepsOf rehearses an update and returns the side effects of each of its starts.
func stepsOf(t *testing.T, uefi bool) (starts [][]string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := newLife(t)
		l.d.UEFI = uefi
		l.begin()
		defer func() { l.end() }()
		if err := l.send(l.bundleOf("v1.1.0", updatetest.NewRoot("v1.1.0", rootSize))); err != nil {
			t.Fatal(err)
		}
		for done := false; !done; {
			waitForRestart(l)
			starts = append(starts, l.d.Steps())
			done = !l.restart()
		}
	})
	return starts
}

// waitForRestart waits until the device wants to start again, but lets it not.
func waitForRestart(l *life) {
	for end := time.Now().Add(10 * time.Minute); time.Now().Before(end) && len(l.d.Restarts()) == 0; {
		time.Sleep(time.Second)
	}
}

func TestPowerCutAtEverySideEffectLeavesOneWholeVersion(t *testing.T) {
	for _, uefi := range []bool{false, true} {
		starts := stepsOf(t, uefi)
		if len(starts) != 3 {
			t.Fatalf("an update takes %d starts: %q", len(starts), starts)
		}
		for start, steps := range starts {
			for n, step := range steps {
				cutAt(t, uefi, start, n+1, step, false)
				if strings.Contains(step, "slot") || step == "spool" {
					cutAt(t, uefi, start, n+1, step, true)
				}
			}
		}
	}
}

// cutAt pulls the plug at a side effect of a start, and looks at what becomes of it.
func cutAt(t *testing.T, uefi bool, start, n int, step string, torn bool) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := newLife(t)
		l.d.UEFI = uefi
		if start == 0 {
			l.d.CutAt(n, torn)
		}
		l.begin()
		defer func() { l.end() }()
		_ = l.send(l.bundleOf("v1.1.0", updatetest.NewRoot("v1.1.0", rootSize)))
		for s := 1; s <= start; s++ {
			waitForRestart(l)
			if s == start {
				l.d.CutAt(n, torn)
			}
			l.restart()
		}
		l.settle()
		version := l.d.Version()
		s := l.updater().State()
		if version != "v1.0.0" && version != "v1.1.0" || l.d.InTrial() || s.Phase == "" {
			t.Fatalf("start %d, cut at %s: %s runs", start, step, version)
		}
		if s.Last != nil && s.Last.Outcome == update.Installed != (version == "v1.1.0") {
			t.Errorf("start %d, cut at %s: %s runs, and it says %+v", start, step, version, s.Last)
		}
		if !slices.Contains(atRest, s.Phase) {
			t.Errorf("start %d, cut at %s: it stays at %s", start, step, s.Phase)
		}
		running, _ := l.d.Running()
		files, _ := l.d.BootFiles()
		for _, f := range files {
			if f.Root != running || f.Try || f.Was {
				t.Errorf("start %d, cut at %s: %+v, partition %d runs", start, step, f, running)
			}
		}
		if l.d.Spooled() {
			t.Errorf("start %d, cut at %s: the bundle lies around", start, step)
		}
		l.upgrade("v1.2.0") // whatever happened, the next one works
		l.expect("v1.2.0", update.Settled, update.Installed)
	})
}

// TestProgramKilledInEveryPhase has one case a phase: the process dies, the device
// goes on, and the process is started again.
func TestProgramKilledInEveryPhase(t *testing.T) {
	for phase, want := range map[update.Phase]string{
		update.Write:     "v1.0.0", // the owner sends it again
		update.ReadBack:  "v1.0.0",
		update.Armed:     "v1.1.0",
		update.Trial:     "v1.0.0", // a version that has to be started again is no good
		update.Committed: "v1.1.0",
		update.Settled:   "v1.1.0",
	} {
		alive(t, func(t *testing.T, l *life) {
			l.killIn.Store(&phase)
			if err := l.send(l.bundleOf("v1.1.0", updatetest.NewRoot("v1.1.0", rootSize))); err != nil {
				t.Fatal(err)
			}
			l.settle()
			if l.killIn.Load() != nil {
				t.Fatalf("%s was never recorded", phase)
			}
			if got := l.d.Version(); got != want || l.d.InTrial() {
				t.Errorf("killed in %s: %s runs, want %s", phase, got, want)
			}
			if s := l.updater().State().Phase; !slices.Contains(atRest, s) {
				t.Errorf("killed in %s: it stays at %s", phase, s)
			}
		})
	}
}

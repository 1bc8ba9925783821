package update_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/update"
	"github.com/prompt64/prompt64/appliance/update/updatetest"
)

// alive runs a test with a device that is on.
func alive(t *testing.T, test func(t *testing.T, l *life)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := newLife(t)
		l.begin()
		defer func() { l.end() }()
		test(t, l)
	})
}

func TestUpdatesGoThroughBothSlots(t *testing.T) {
	alive(t, func(t *testing.T, l *life) {
		for _, version := range []string{"v1.1.0", "v1.2.0", "v1.3.0"} {
			l.upgrade(version)
			l.expect(version, update.Settled, update.Installed)
		}
		if len(l.why) != 6 {
			t.Errorf("the device started again %d times, for %q", len(l.why), l.why)
		}
	})
}

func TestBadVersionsGoBackByThemselves(t *testing.T) {
	for trait, reason := range map[string]string{
		"sick":  "the bridge does not answer",
		"crash": "the new version did not start",
	} {
		alive(t, func(t *testing.T, l *life) {
			l.upgrade("v1.1.0", trait)
			if s := l.expect("v1.0.0", update.RolledBack, update.WentBack); !strings.Contains(s.Last.Reason, reason) {
				t.Errorf("%s: the reason is %q", trait, s.Last.Reason)
			}
			l.upgrade("v1.2.0") // and is no obstacle
			l.expect("v1.2.0", update.Settled, update.Installed)
		})
	}
}

func TestVersionThatIsNoSystemGoesBack(t *testing.T) {
	alive(t, func(t *testing.T, l *life) {
		if err := l.send(l.bundleOf("v1.1.0", []byte("the kernel panics"))); err != nil {
			t.Fatal(err)
		}
		l.settle()
		l.expect("v1.0.0", update.RolledBack, update.WentBack)
	})
}

func TestGuardsReasonIsTold(t *testing.T) {
	alive(t, func(t *testing.T, l *life) {
		reason := "the bridge port gave no answer"
		l.guard.Store(&reason)
		l.upgrade("v1.1.0", "crash")
		if s := l.updater().State(); s.Last.Reason != reason {
			t.Errorf("the reason is %q", s.Last.Reason)
		}
	})
}

func TestWrongVersionIsNotCommitted(t *testing.T) {
	alive(t, func(t *testing.T, l *life) {
		if err := l.send(l.bundleOf("v1.1.0", updatetest.NewRoot("v1.0.9", rootSize))); err != nil {
			t.Fatal(err)
		}
		l.settle()
		if s := l.expect("v1.0.0", update.RolledBack, update.WentBack); !strings.Contains(s.Last.Reason, "v1.0.9 answers, v1.1.0 should") {
			t.Errorf("the reason is %q", s.Last.Reason)
		}
	})
}

func TestTrialNeedsClockAndNetworkAsBefore(t *testing.T) {
	for want, change := range map[string]func(d *updatetest.Device){
		"the clock is not set": func(d *updatetest.Device) { d.Clock = false },
		"network wlan0":        func(d *updatetest.Device) { d.Online = []string{"eth0"} },
	} {
		alive(t, func(t *testing.T, l *life) {
			l.d.Change(func(d *updatetest.Device) { d.Online = []string{"eth0", "wlan0"} })
			if err := l.send(l.bundleOf("v1.1.0", updatetest.NewRoot("v1.1.0", rootSize))); err != nil {
				t.Fatal(err)
			}
			l.restart()
			l.d.Change(change)
			l.settle()
			if s := l.expect("v1.0.0", update.RolledBack, update.WentBack); !strings.Contains(s.Last.Reason, want) {
				t.Errorf("the reason is %q", s.Last.Reason)
			}
		})
	}
}

func TestTrialIsJudgedAfterAMinuteAndMayRecover(t *testing.T) {
	alive(t, func(t *testing.T, l *life) {
		if err := l.send(l.bundleOf("v1.1.0", updatetest.NewRoot("v1.1.0", rootSize))); err != nil {
			t.Fatal(err)
		}
		l.restart()
		ill := "no address yet"
		l.sick.Store(&ill)
		time.Sleep(update.SettleTime - 2*time.Second)
		if s := l.updater().State(); s.Phase != update.Trial || s.Trouble != "" {
			t.Errorf("within the minute: %+v", s)
		}
		time.Sleep(time.Minute)
		if s := l.updater().State(); s.Phase != update.Trial || s.Trouble != ill {
			t.Errorf("after it: %+v", s)
		}
		l.sick.Store(nil)
		l.settle()
		l.expect("v1.1.0", update.Settled, update.Installed)
	})
}

func TestProgramThatIsStartedAgainInATrialIsNotKept(t *testing.T) {
	alive(t, func(t *testing.T, l *life) {
		if err := l.send(l.bundleOf("v1.1.0", updatetest.NewRoot("v1.1.0", rootSize))); err != nil {
			t.Fatal(err)
		}
		l.restart()
		time.Sleep(30 * time.Second)
		l.now.Load().kill()
		l.settle()
		if s := l.expect("v1.0.0", update.RolledBack, update.WentBack); !strings.Contains(s.Last.Reason, "started again during the trial") {
			t.Errorf("the reason is %q", s.Last.Reason)
		}
	})
}

func TestTrialThatNobodyAskedForIsNotCommitted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLife(t)
		l.d.SetSlot(update.SlotB, updatetest.NewRoot("v0.9.0", rootSize))
		l.d.SetBootFile(update.BootFile{Name: updatetest.Cmdline, Root: update.SlotA, Try: true})
		l.begin()
		defer func() { l.end() }()
		time.Sleep(time.Minute)
		if err := l.send(l.bundleOf("v1.1.0", updatetest.NewRoot("v1.1.0", rootSize))); !errors.Is(err, update.ErrBusy) {
			t.Errorf("an update over the only good slot: %v", err)
		}
		l.settle()
		l.expect("v1.0.0", update.RolledBack, update.WentBack)
	})
}

func TestTurnDelaysTheStartAndTheOwnerMaySayNow(t *testing.T) {
	alive(t, func(t *testing.T, l *life) {
		turn := "a turn of Ada's C64"
		l.busy.Store(&turn)
		if err := l.send(l.bundleOf("v1.1.0", updatetest.NewRoot("v1.1.0", rootSize))); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		if s := l.updater().State(); s.Phase != update.Armed || s.Waits != turn || len(l.d.Restarts()) != 0 {
			t.Fatalf("during a turn: %+v", s)
		}
		l.updater().RebootNow()
		if !l.restart() || l.d.Version() != "v1.1.0" {
			t.Fatal("it still waits")
		}
		time.Sleep(2 * time.Minute)
		if s := l.updater().State(); s.Phase != update.Committed || s.Waits != turn {
			t.Fatalf("after the commit: %+v", s)
		}
		l.busy.Store(nil)
		l.settle()
		l.expect("v1.1.0", update.Settled, update.Installed)
	})
}

func TestTurnDoesNotDelayARollBack(t *testing.T) {
	alive(t, func(t *testing.T, l *life) {
		if err := l.send(l.bundleOf("v1.1.0", updatetest.NewRoot("v1.1.0", rootSize, "sick"))); err != nil {
			t.Fatal(err)
		}
		l.restart()
		turn := "a turn"
		l.busy.Store(&turn)
		l.settle()
		l.expect("v1.0.0", update.RolledBack, update.WentBack)
	})
}

func TestNoUpdateIsTakenBeforeTheLastOneIsSettled(t *testing.T) {
	alive(t, func(t *testing.T, l *life) {
		turn := "a turn"
		data := l.bundleOf("v1.1.0", updatetest.NewRoot("v1.1.0", rootSize))
		if err := l.send(data); err != nil {
			t.Fatal(err)
		}
		if err := l.send(data); !errors.Is(err, update.ErrBusy) {
			t.Errorf("while it is written: %v", err)
		}
		l.restart()
		l.busy.Store(&turn)
		if err := l.send(data); !errors.Is(err, update.ErrBusy) {
			t.Errorf("in the trial: %v", err)
		}
		time.Sleep(2 * time.Minute)
		if err := l.send(data); !errors.Is(err, update.ErrBusy) || l.updater().State().Phase != update.Committed {
			t.Errorf("%s: %v", l.updater().State().Phase, err)
		}
		if err := l.updater().Revert(t.Context()); !errors.Is(err, update.ErrBusy) {
			t.Errorf("a way back meanwhile: %v", err)
		}
		l.busy.Store(nil)
		l.settle()
		l.expect("v1.1.0", update.Settled, update.Installed)
	})
}

func TestFormerVersionComesBackOnRequest(t *testing.T) {
	alive(t, func(t *testing.T, l *life) {
		if err := l.updater().Revert(t.Context()); err == nil {
			t.Error("there was no former version")
		}
		l.upgrade("v1.1.0")
		for _, version := range []string{"v1.0.0", "v1.1.0"} {
			if former := l.updater().State().Former; former != version {
				t.Errorf("the former version is %q, want %s", former, version)
			}
			if err := l.updater().Revert(t.Context()); err != nil {
				t.Fatal(err)
			}
			if s := l.updater().State(); !s.Phase.Under() || s.To != version || s.Former != "" {
				t.Errorf("right after it was asked for: %+v", s)
			}
			l.settle()
			l.expect(version, update.Settled, update.Installed)
		}
	})
}

func TestFormerVersionThatIsNotIntactIsNotStarted(t *testing.T) {
	alive(t, func(t *testing.T, l *life) {
		l.upgrade("v1.1.0")
		broken := updatetest.NewRoot("v1.0.0", rootSize)
		broken[rootSize/2] ^= 1
		l.d.SetSlot(update.SlotA, broken)
		if err := l.updater().Revert(t.Context()); err != nil {
			t.Fatal(err)
		}
		l.settle()
		l.expect("v1.1.0", update.Idle, update.Failed)
	})
}

func TestRestartThatFailsIsToldAndTriedAgain(t *testing.T) {
	alive(t, func(t *testing.T, l *life) {
		l.d.Change(func(d *updatetest.Device) { d.RebootError = errors.New("init does not listen") })
		if err := l.send(l.bundleOf("v1.1.0", updatetest.NewRoot("v1.1.0", rootSize))); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Second)
		if s := l.updater().State(); !strings.Contains(s.Trouble, "pull its plug") {
			t.Errorf("the state is %+v", s)
		}
		l.settle()
		l.expect("v1.1.0", update.Settled, update.Installed)
	})
}

func TestServePetsWhateverItDoes(t *testing.T) {
	alive(t, func(t *testing.T, l *life) {
		turn := "a turn"
		for _, step := range []struct {
			what string
			do   func()
		}{
			{"idle", func() {}},
			{"waiting to be tried", func() {
				l.busy.Store(&turn)
				if err := l.send(l.bundleOf("v1.1.0", updatetest.NewRoot("v1.1.0", rootSize))); err != nil {
					t.Fatal(err)
				}
			}},
			{"in the trial", func() { l.busy.Store(nil); l.restart() }},
		} {
			step.do()
			before := l.pets.Load()
			time.Sleep(50 * time.Second)
			if n := l.pets.Load() - before; n < 9 {
				t.Errorf("%s, it was heard of %d times in 50 s", step.what, n)
			}
		}
	})
}

func TestInstallationWhoseServiceIsReplacedIsNoObstacle(t *testing.T) {
	alive(t, func(t *testing.T, l *life) {
		replaced := update.Write
		l.replaceIn.Store(&replaced)
		if err := l.send(l.bundleOf("v1.1.0", updatetest.NewRoot("v1.1.0", rootSize))); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		if s := l.expect("v1.0.0", update.Idle, update.Failed); !strings.Contains(s.Last.Reason, "interrupted") {
			t.Errorf("the reason is %q", s.Last.Reason)
		}
		l.upgrade("v1.1.0")
		l.expect("v1.1.0", update.Settled, update.Installed)
	})
}

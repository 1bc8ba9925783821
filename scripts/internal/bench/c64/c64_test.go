package c64

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/leaks"
	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/scripts/internal/bench/plan"
	"github.com/prompt64/prompt64/scripts/internal/bench/stats"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// here is the repository, whose program must be built for its symbols.
func here(t *testing.T) plan.Plan {
	t.Helper()
	p := plan.Plan{Quick: true, Root: "../../../.."}
	prg, err := os.Stat(p.PRG())
	if err != nil {
		t.Fatal(err)
	}
	labels, err := os.Stat(p.Labels())
	if err != nil || labels.ModTime().Before(prg.ModTime()) {
		t.Skip("the program's symbols are missing or old: make -C c64prg check writes them")
	}
	return p
}

func seated(t *testing.T, p plan.Plan, std machine.Standard) *seat {
	t.Helper()
	s, err := sit(t.Context(), p, std)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.close(); err != nil {
			t.Error(err)
		}
	})
	if err := s.begin(); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStreamCountsUpToTheLastCharacter(t *testing.T) {
	p := here(t)
	var costs []string
	p.Profile = func(_ string, lines []string) { costs = lines }
	s := seated(t, p, machine.PAL)
	cycles, err := s.stream(p, true)
	if err != nil {
		t.Fatal(err)
	}
	// Putting a character down takes some cycles, and nobody waits for seconds.
	if each := cycles / proseSize; each < 20 || each > 2000 {
		t.Errorf("%d cycles a character", each)
	}
	if len(costs) == 0 || !strings.Contains(strings.Join(costs, "\n"), "wrap") {
		t.Errorf("the profile: %q", costs)
	}
	if err := s.end(); err != nil {
		t.Error(err)
	}
}

func TestAWordAndAKeyAreTimedFromTheirCause(t *testing.T) {
	p := here(t)
	s := seated(t, p, machine.NTSC)
	taken, err := s.addr("take_status")
	if err != nil {
		t.Fatal(err)
	}
	cycles, err := s.appear(taken, "word ")
	if err != nil || cycles == 0 || s.frames(cycles) > giveUp {
		t.Errorf("a word took %d cycles, %v", cycles, err)
	}
	store, err := s.addr("key_store")
	if err != nil {
		t.Fatal(err)
	}
	var looks stats.Sample
	if err := s.noteLooks(&looks); err != nil {
		t.Fatal(err)
	}
	counted, contact, err := s.press(store, 'k', rand.New(rand.NewPCG(1, 1)))
	if err != nil || counted <= 0 || contact <= counted {
		t.Errorf("a key took %v frames, %v from its contact, %v", counted, contact, err)
	}
	if len(looks) == 0 || looks.Max() > looksAim {
		t.Errorf("%d looks at the keyboard, %v frames between two of them", len(looks), looks.Max())
	}
}

func TestAWordThatNeverComesIsAnError(t *testing.T) {
	p := here(t)
	s := seated(t, p, machine.PAL)
	s.m.UCI().Wedge(true)
	if _, err := s.appear(0x0801, "word "); err == nil || !strings.Contains(err.Error(), "did not appear") {
		t.Errorf("%v", err)
	}
}

func TestSpeedIsEmulatedOverRealTime(t *testing.T) {
	p := here(t)
	s := seated(t, p, machine.PAL)
	got := pair{now: time.Now, known: true}
	if err := s.run(&got); err != nil {
		t.Fatal(err)
	}
	if len(got.wall) != 1 || got.wall[0] <= 0 || got.own[0] <= 0 {
		t.Errorf("%+v", got)
	}
	rows := got.rows("idle")
	if rows[0].Aim == nil || rows[0].Value != got.wall[0] {
		t.Errorf("%+v", rows)
	}
}

func TestAMissingProgramIsNamed(t *testing.T) {
	p := plan.Plan{Root: t.TempDir()}
	if _, err := sit(t.Context(), p, machine.PAL); err == nil || !strings.Contains(err.Error(), "prompt64.prg") {
		t.Errorf("%v", err)
	}
}

// The NMI's budget holds whatever the line brings. How fast text comes is a loaded
// computer's matter too and not looked at.
func TestInterruptOfTheSerialLineKeepsItsBudget(t *testing.T) {
	p := here(t)
	s, err := sitAtLine(t.Context(), p, machine.PAL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.close(); err != nil {
			t.Error(err)
		}
	})
	nmi, err := s.timeNMI()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.begin(); err != nil {
		t.Fatal(err)
	}
	if err := s.end(); err != nil {
		t.Fatal(err)
	}
	if nmi.n < 20 || nmi.least() != nmiAim || nmi.mean() < nmiAim || nmi.mean() > 2*nmiAim {
		t.Errorf("%d bytes, %.0f cycles at least, %.1f on average", nmi.n, nmi.least(), nmi.mean())
	}
}

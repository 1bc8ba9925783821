package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/guardlog"
)

func TestTrialThatIsNotCommittedInTimeEnds(t *testing.T) {
	f := newFake()
	g := f.boot(t)
	f.trial = true
	f.rounds(t, g, int(trialTime/every)-1)
	if len(f.did) > 0 {
		t.Fatalf("too early: %q", f.did)
	}
	f.rounds(t, g, 1)
	if last, _ := f.disk.Last(); f.count("reboot") != 1 || f.count("restart") != 0 || last.Action != guardlog.EndedTrial {
		t.Errorf("guard did %q for %+v", f.did, last)
	}
	if len(f.disk.Reboots) > 0 {
		t.Error("the end of a trial was counted as a reboot")
	}
}

func TestCommittedTrialIsLeftAlone(t *testing.T) {
	f := newFake()
	g := f.boot(t)
	f.trial, f.committed = true, true
	f.rounds(t, g, 3*int(trialTime/every))
	if len(f.did) > 0 {
		t.Errorf("guard did %q", f.did)
	}
	f.bridge = errDead // and is watched like any system
	f.rounds(t, g, failures)
	if f.count("restart") != 1 || f.count("reboot") != 0 {
		t.Errorf("guard did %q", f.did)
	}
}

func TestTrialThatDoesNotDoWellEndsAtOnce(t *testing.T) {
	f := newFake()
	g := f.boot(t)
	f.trial = true
	f.rounds(t, g, 3)
	f.bridge = errDead
	f.rounds(t, g, failures)
	if last, _ := f.disk.Last(); f.count("reboot") != 1 || f.count("restart") != 0 || !strings.Contains(last.Reason, "the bridge does not answer") {
		t.Errorf("guard did %q for %+v", f.did, last)
	}
}

func TestTrialThatNeverAnswersEndsWhateverTheDiskDoes(t *testing.T) {
	f := newFake()
	g := f.boot(t)
	f.trial, f.bridge, f.pages, f.noDisk = true, errDead, errDead, errDead
	f.rounds(t, g, int(trialTime/every))
	if f.count("reboot") == 0 {
		t.Errorf("guard did %q", f.did)
	}
}

func TestEveryTrialEndsHoweverManyThereWere(t *testing.T) {
	f := newFake()
	for n := range 10 {
		g := f.boot(t)
		f.trial, f.did = true, nil
		f.rounds(t, g, int(trialTime/every))
		if f.count("reboot") != 1 {
			t.Fatalf("trial %d: guard did %q", n, f.did)
		}
	}
}

func TestRootIsReadFromTheCommandLine(t *testing.T) {
	for line, want := range map[string]int{
		"console=tty1 root=PARTUUID=60c24cc1-f3f9-427a-8199-e05dd6790001/PARTNROFF=1 ro": 2,
		"root=PARTUUID=60c24cc1/PARTNROFF=2":                                             3,
		"root=/dev/vda2":                                                                 0,
		"notroot=PARTUUID=1/PARTNROFF=2":                                                 0,
		"":                                                                               0,
	} {
		if got := namedRoot(line); got != want {
			t.Errorf("%q names %d, want %d", line, got, want)
		}
	}
}

func TestCardAndItsBootFilesAreFound(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for n := 1; n <= 4; n++ {
		put(fmt.Sprintf("devices/vda/vda%d/partition", n), fmt.Sprintln(n))
	}
	put("dev/block/.keep", "")
	for name, to := range map[string]string{"253:3": "../../devices/vda/vda3", "253:0": "../../devices/vda"} {
		if err := os.Symlink(to, filepath.Join(dir, "dev/block", name)); err != nil {
			t.Fatal(err)
		}
	}
	if c, err := findCard(dir, 253, 3); err != nil || c != (card{3, "/dev/vda1"}) {
		t.Errorf("the card is %+v, %v", c, err)
	}
	for _, minor := range []uint32{0, 9} {
		if c, err := findCard(dir, 253, minor); err == nil {
			t.Errorf("of a disk that is none: %+v", c)
		}
	}
	put("boot/cmdline.txt", "root=PARTUUID=1/PARTNROFF=2 x=1")
	if _, err := commits(filepath.Join(dir, "boot"), 3); err == nil {
		t.Error("a missing boot file is no error")
	}
	for second, want := range map[string]bool{"2": true, "1": false} {
		put("boot/loader/entries/gokrazy.conf", "options root=PARTUUID=1/PARTNROFF="+second)
		if got, err := commits(filepath.Join(dir, "boot"), 3); got != want || err != nil {
			t.Errorf("PARTNROFF=%s: %v, %v", second, got, err)
		}
	}
}

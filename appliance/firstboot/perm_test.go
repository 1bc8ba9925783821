package firstboot

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/config"
)

// storage is a card with a /perm, and the kernel that uses it. The power goes before
// the side effect of a number.
type storage struct {
	state  Condition
	spoilt bool // it will not be mounted
	keeps  bool // the card takes what is written
	starts int

	noCard error
	blind  error // what asking for the condition gives
	fault  map[string]error
	cut    int // side effects until the power goes; negative: it does not
	did    []string
}

func newStorage(c Condition) *storage {
	return &storage{state: c, spoilt: !c.Mounted, keeps: true, cut: -1, fault: map[string]error{}}
}

func (s *storage) Card(mount string) (Place, error) {
	return Place{Mount: mount, Device: "/dev/x4"}, s.noCard
}

func (s *storage) Condition(Place) (Condition, error) { return s.state, s.blind }

// effect does one of them.
func (s *storage) effect(name string, do func()) error {
	if s.cut == 0 {
		return errPower
	}
	s.cut--
	s.did = append(s.did, name)
	if err := s.fault[name]; err != nil {
		return err
	}
	do()
	return nil
}

func (s *storage) Format(Place) error {
	if s.state.Mounted {
		return errors.New("a mounted file system was formatted")
	}
	return s.effect("format", func() { s.spoilt = !s.keeps })
}

func (s *storage) Spoil(Place) error {
	if !s.state.Mounted {
		return errors.New("nothing is mounted that could be spoilt")
	}
	return s.effect("spoil", func() { s.state.ReadOnly, s.spoilt = true, s.keeps })
}

func (s *storage) Restart() error {
	return s.effect("restart", func() { s.starts++ })
}

// boot is the next start: what is whole is mounted, and what was made anew has no
// errors.
func (s *storage) boot() {
	before := s.state
	s.state = Condition{Mounted: !s.spoilt}
	if before.Mounted && !s.spoilt {
		s.state.Errors = before.Errors
	}
	s.cut = -1
}

// partition is a boot partition, which loses its power with the storage.
type partition struct {
	config.Boot
	s *storage
}

func (p partition) WriteFile(name string, data []byte) (err error) {
	failed := p.s.effect("note", func() { err = p.Boot.WriteFile(name, data) })
	return errors.Join(failed, err)
}

// asking is a boot partition with the owner's file, or without.
func asking(t *testing.T, s *storage, asks bool) (partition, string) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "prompt64-reset")
	if asks {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return partition{config.BootFolder(dir), s}, file
}

// The conditions of a /perm that is not as it should be.
var broken = map[string]Condition{
	"not mounted": {}, "read-only": {Mounted: true, ReadOnly: true}, "with an error": {Mounted: true, Errors: 1}, "with errors": {Mounted: true, Errors: 7},
}

func TestDamageIsToldInWords(t *testing.T) {
	for name, want := range map[string]string{"not mounted": "cannot be used", "read-only": "writes nothing", "with an error": "an error", "with errors": "7 errors"} {
		got := Damage(newStorage(broken[name]), "/perm")
		for _, part := range []string{want, "data partition", "damaged"} {
			if !strings.Contains(got, part) {
				t.Errorf("%s: no %q in %q", name, part, got)
			}
		}
	}
	s := newStorage(Condition{Mounted: true})
	if got := Damage(s, "/perm"); got != "" {
		t.Errorf("of a whole one it says %q", got)
	}
	s.blind = errors.New("no sysfs")
	if got := Damage(s, "/perm"); !strings.Contains(got, "no sysfs") {
		t.Errorf("of one that is not known it says %q", got)
	}
	s.noCard = ErrNoCard
	if got := Damage(s, "/perm"); got != "" {
		t.Errorf("on a workstation it says %q", got)
	}
}

func TestNothingIsDestroyedUnlessTheOwnerAsksAndThereIsDamage(t *testing.T) {
	for name, c := range broken {
		s := newStorage(c)
		boot, _ := asking(t, s, false)
		if restarting, err := Revive(s, boot, "/perm"); restarting || err != nil || len(s.did) > 0 {
			t.Errorf("%s, nobody asks: %v, %v: %q", name, restarting, err, s.did)
		}
	}
	for name, change := range map[string]func(*storage){
		"whole":     func(s *storage) { s.state = Condition{Mounted: true} },
		"no card":   func(s *storage) { s.noCard = ErrNoCard },
		"not known": func(s *storage) { s.blind = errors.New("no sysfs") },
	} {
		s := newStorage(Condition{})
		change(s)
		boot, _ := asking(t, s, true)
		restarting, err := Revive(s, boot, "/perm")
		if restarting || len(s.did) > 0 || (err != nil) != (name == "not known") {
			t.Errorf("%s: %v, %v: %q", name, restarting, err, s.did)
		}
		if err := Erase(s, boot, "/perm"); err == nil || len(s.did) > 0 {
			t.Errorf("%s, the owner is signed in: %v: %q", name, err, s.did)
		}
	}
}

// revived plays starts until /perm is whole, and counts them.
func revived(t *testing.T, s *storage, boot config.Boot) int {
	t.Helper()
	for starts := 0; starts < 2*maxTries; starts++ {
		s.boot()
		restarting, err := Revive(s, boot, "/perm")
		if err != nil {
			t.Fatalf("start %d: %v after %q", starts, err, s.did)
		}
		if !restarting {
			return starts
		}
	}
	t.Fatalf("it starts for ever: %q", s.did)
	return 0
}

func TestDamagedPermIsMadeAnewAtTheOwnersWish(t *testing.T) {
	for name, c := range broken {
		for _, signedIn := range []bool{false, true} {
			s := newStorage(c)
			boot, file := asking(t, s, !signedIn)
			if signedIn {
				if err := Erase(s, boot, "/perm"); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			} else if restarting, err := Revive(s, boot, "/perm"); !restarting || err != nil {
				t.Fatalf("%s: %v, %v", name, restarting, err)
			}
			starts := revived(t, s, boot)
			if want := map[bool]int{true: 1, false: 0}[c.Mounted]; starts != want || s.state != (Condition{Mounted: true}) || s.starts != want+1 {
				t.Errorf("%s: after %d starts it is %+v: %q", name, starts, s.state, s.did)
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: the reset of the settings does not find the wish: %v", name, err)
			}
		}
	}
}

// The power goes before each side effect, once by once.
func TestPowerCutWhileItIsMadeAnewIsGoneOnFromByTheNextStart(t *testing.T) {
	for name, c := range broken {
		for cut := range 3 {
			s := newStorage(c)
			boot, _ := asking(t, s, true)
			s.cut = cut
			if restarting, err := Revive(s, boot, "/perm"); restarting || !errors.Is(err, errPower) {
				t.Fatalf("%s, cut before %d: %v, %v", name, cut, restarting, err)
			}
			if revived(t, s, boot); s.state != (Condition{Mounted: true}) {
				t.Errorf("%s, cut before %d: it is %+v after %q", name, cut, s.state, s.did)
			}
		}
	}
}

func TestStepThatFailsIsToldAndDoesNotStartTheDeviceAgain(t *testing.T) {
	worn := errors.New("worn out")
	for step, c := range map[string]Condition{"note": {}, "format": {}, "spoil": {Mounted: true, Errors: 2}, "restart": {}} {
		s := newStorage(c)
		boot, _ := asking(t, s, true)
		s.fault[step] = worn
		if restarting, err := Revive(s, boot, "/perm"); restarting || !errors.Is(err, worn) || s.did[len(s.did)-1] != step {
			t.Errorf("%s: %v, %v after %q", step, restarting, err, s.did)
		}
	}
	s := newStorage(Condition{})
	if restarting, err := Revive(s, unreadable{}, "/perm"); restarting || !errors.Is(err, fs.ErrPermission) || len(s.did) > 0 {
		t.Errorf("a boot partition that cannot be read: %v, %v", restarting, err)
	}
}

type unreadable struct{ config.Boot }

func (unreadable) ReadFile(string) ([]byte, error) { return nil, fs.ErrPermission }

// A card that says it has written, and has not, must not make the device start for
// ever.
func TestCardThatKeepsNothingIsGivenUp(t *testing.T) {
	for name, c := range broken {
		if c.Mounted { // or a start would be all that it needs
			c.Errors++
		}
		s := newStorage(c)
		s.keeps = false
		boot, _ := asking(t, s, true)
		for s.starts <= maxTries {
			restarting, err := Revive(s, boot, "/perm")
			if restarting {
				s.boot()
				continue
			}
			if err == nil || !strings.Contains(err.Error(), "use another one") || s.starts != maxTries {
				t.Errorf("%s: %v after %d starts", name, err, s.starts)
			}
			break
		}
		if s.starts > maxTries {
			t.Errorf("%s: it starts for ever", name)
		}
	}
}

package config

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
)

// change touches the secrets as well, so that a save has all its steps.
func change(s *Settings) error {
	s.Hostname, s.Password = "cellar", testHash
	s.Pairing.Code = NewSecret("ZZZZ9999")
	return nil
}

// scene is a folder on which a save is spoilt.
type scene struct {
	name string
	make func(t testing.TB, o Options)
	old  Source // what is in force before the save
}

// twoSaves leaves settings and former settings.
func twoSaves(t testing.TB, o Options) {
	s := Open(o)
	mustUpdate(t, s, setUp)
	mustUpdate(t, s, named("loft"))
}

var scenes = []scene{
	{"second save", twoSaves, Loaded},
	{"old secrets to remove", func(t testing.TB, o Options) {
		twoSaves(t, o)
		mustUpdate(t, Open(o), func(s *Settings) error {
			s.Pairing.Code = NewSecret("OLDOLDOL")
			return nil
		})
	}, Loaded},
	{"first save", func(testing.TB, Options) {}, Fresh},
	{"damaged file", func(t testing.TB, o Options) {
		twoSaves(t, o)
		p, err := o.files.Write(configName, []byte(`{"version":1,"hostname":"tor`))
		if err != nil || p.Replace() != nil {
			t.Fatal("cannot damage the file")
		}
	}, LastGood},
}

// inMemory plays a scene once and returns copies of the folder.
func inMemory(t testing.TB, sc scene) func() Options {
	p := newPlatter()
	sc.make(t, Options{Dir: "/perm", files: p})
	return func() Options { return Options{Dir: "/perm", files: p.copy()} }
}

// onDisk plays the scene in a new folder each time.
func onDisk(t testing.TB, sc scene) func() Options {
	return func() Options {
		dir := t.TempDir()
		o := Options{Dir: dir, files: disk{dir}}
		sc.make(t, o)
		return o
	}
}

// stepsOf lists the steps of a save.
func (sc scene) stepsOf(t *testing.T) []string {
	o := inMemory(t, sc)()
	s, w := watched(o, o.files)
	mustUpdate(t, s, change)
	return w.done
}

func TestSaveTakesItsStepsInTheOrderThatPowerCutsNeed(t *testing.T) {
	got := scenes[1].stepsOf(t)
	secrets := strings.TrimPrefix(got[2], "write ")
	old := strings.TrimPrefix(got[len(got)-1], "remove ")
	want := []string{"make ", "open folder",
		"write " + secrets, "sync " + secrets, "replace " + secrets, "sync folder",
		"write config.json", "sync config.json", "open folder",
		"keep as config.json.last-good", "replace config.json", "sync folder", "remove " + old}
	if fmt.Sprint(got) != fmt.Sprint(want) || !isSecretsFile(secrets) || !isSecretsFile(old) || old == secrets {
		t.Errorf("steps:\n got %q\nwant %q", got, want)
	}
}

// fault is a way in which a step goes wrong.
type fault struct {
	name string
	dead bool
	how  func(step func() error) error
}

func fails(err error) func(func() error) error { return func(func() error) error { return err } }

var faults = []fault{
	{"stopped before", true, fails(errStopped)},
	{"stopped after", true, func(step func() error) error { _ = step(); return errStopped }},
	{"full", false, fails(syscall.ENOSPC)},
	{"read-only", false, fails(syscall.EROFS)},
	{"input/output error", false, fails(syscall.EIO)},
	{"done, but reported as failed", false, func(step func() error) error { _ = step(); return syscall.EIO }},
}

func TestSaveThatGoesWrongAtAnyStepLeavesTheOldSettingsOrTheNew(t *testing.T) {
	for _, sc := range scenes {
		goesWrong(t, "memory/"+sc.name, sc, inMemory(t, sc), faults)
	}
	for _, sc := range scenes[1:2] {
		goesWrong(t, "disk/"+sc.name, sc, onDisk(t, sc), faults[:2])
	}
}

func goesWrong(t *testing.T, name string, sc scene, folder func() Options, faults []fault) {
	for at, step := range sc.stepsOf(t) {
		for _, f := range faults {
			label, _, _ := strings.Cut(step, "-")
			t.Run(fmt.Sprintf("%s/%d %s/%s", name, at, label, f.name), func(t *testing.T) {
				spoilt(t, folder(), sc, at, f)
			})
		}
	}
}

// spoilt saves with a fault at one step and looks at what is left.
func spoilt(t *testing.T, o Options, sc scene, at int, f fault) {
	s, w := watched(o, o.files)
	old := s.Settings()
	updated := old.Clone()
	_ = change(&updated)
	w.spoil, w.how, w.dead = at, f.how, f.dead
	err := s.Update(change)
	if len(w.done) <= at {
		t.Fatalf("only %d steps were taken", len(w.done))
	}
	left, state := Read(o)
	switch {
	case plain(left) == plain(updated):
		if state.Source != Loaded || state.Setup || err != nil && !f.dead {
			t.Errorf("the new settings are there, with %v, and %+v", err, state)
		}
	case plain(left) == plain(old):
		if state.Source != sc.old || state.Setup != (sc.old == Fresh) || err == nil {
			t.Errorf("the old settings are there, with %v, and %+v", err, state)
		}
	default:
		t.Errorf("neither the old nor the new settings: %s, %+v", plain(left), state)
	}
	if !f.dead {
		same(t, "in memory", s.Settings(), left)
		if words := s.State().Problems; err != nil {
			says(t, words, "not saved", inWords(f.how(func() error { return nil })))
		}
	}
	nextSave(t, o)
}

// nextSave checks that whatever happened before, the next saves work and clear
// up.
func nextSave(t *testing.T, o Options) {
	t.Helper()
	s := Open(o)
	mustUpdate(t, s, change)
	mustUpdate(t, s, named("last"))
	if _, state := Read(o); state.Source != Loaded || len(state.Problems) > 0 {
		t.Errorf("after the next save: %+v", state)
	}
	names, err := o.files.List()
	if err != nil {
		t.Fatal(err)
	}
	secrets := 0
	for _, name := range names {
		if isSecretsFile(name) {
			secrets++
		}
		if isLeftover(name) {
			t.Errorf("%s is left behind", name)
		}
	}
	if secrets != 1 {
		t.Errorf("%d files of secrets", secrets)
	}
}

// shortDisk writes half of what it is given.
type shortDisk struct{ disk }

func (d shortDisk) Write(name string, data []byte) (pending, error) {
	p, err := d.disk.Write(name, data[:len(data)/2])
	if err != nil {
		return nil, err
	}
	p.Discard()
	return nil, syscall.ENOSPC
}

func TestShortWriteIsAFailedSave(t *testing.T) {
	dir := populated(t)
	s := Open(Options{Dir: dir})
	s.options.files = shortDisk{disk{dir}}
	old := s.Settings()
	if err := s.Update(change); err == nil || !strings.Contains(err.Error(), "the disk is full") || errors.Is(err, errStopped) {
		t.Errorf("Update: %v", err)
	}
	o := Options{Dir: dir, files: disk{dir}}
	left, state := Read(o)
	same(t, "on the disk", left, old)
	if state.Source != Loaded {
		t.Errorf("%+v", state)
	}
	says(t, s.State().Problems, "not saved", "full")
	nextSave(t, o)
}

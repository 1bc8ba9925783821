package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// card is a boot partition in memory.
type card struct {
	files  map[string]string
	erase  error // what erasing gives
	write  error
	broken error // what reading gives
	erased []string
}

var _ Boot = (*card)(nil)

func (c *card) ReadFile(name string) ([]byte, error) {
	if c.broken != nil {
		return nil, c.broken
	}
	text, there := c.files[name]
	if !there {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return []byte(text), nil
}

func (c *card) WriteFile(name string, data []byte) error {
	if c.write == nil {
		c.files[name] = string(data)
	}
	return c.write
}

func (c *card) Erase(name string) error {
	if _, there := c.files[name]; !there {
		return fs.ErrNotExist
	}
	if c.erase == nil {
		delete(c.files, name)
		c.erased = append(c.erased, name)
	}
	return c.erase
}

func newCard(name, text string) *card { return &card{files: map[string]string{name: text}} }

const dropped = `{"version":1,"password":"from the card","wifi":[{"ssid":"Card","psk":"card card"}],"future":[1]}`

func TestFileOnTheBootPartitionIsTakenOverOnce(t *testing.T) {
	for _, file := range []string{"prompt64.json", "prompt64.json.txt"} {
		dir := populated(t)
		c := newCard(file, dropped)
		s := Open(Options{Dir: dir, Boot: c})
		got := s.Settings()
		if !got.Password.Matches("from the card") || len(got.Wifi) != 1 || got.Wifi[0].PSK.Reveal() != "card card" {
			t.Errorf("not taken over: %s", plain(got))
		}
		if got.Hostname != "loft" || got.Pairing.Code.Reveal() != "ABCD2345" {
			t.Errorf("what the file does not name is changed: %s", plain(got))
		}
		if len(c.files) != 0 || s.State().Source != Loaded || len(s.State().Problems) > 0 {
			t.Errorf("left on the card: %v; %+v", c.files, s.State())
		}
		says(t, s.State().Warnings, `"future"`)
		again := Open(Options{Dir: dir, Boot: c})
		same(t, "at the next start", again.Settings(), got)
		for _, name := range list(t, dir) {
			if strings.Contains(get(t, dir, name), "from the card") || !isSecretsFile(name) && strings.Contains(get(t, dir, name), "card card") {
				t.Errorf("%s has the secrets of the card", name)
			}
		}
	}
}

func TestFileThatCannotBeRemovedIsNotTakenOverAgain(t *testing.T) {
	dir := populated(t)
	c := newCard(dropFile, dropped)
	c.erase = syscall.EROFS
	s := Open(Options{Dir: dir, Boot: c})
	says(t, s.State().Problems, "taken over", "could not be removed", "read-only")
	mustUpdate(t, s, func(s *Settings) error { s.Wifi = nil; return nil })
	s = Open(Options{Dir: dir, Boot: c})
	if len(s.Settings().Wifi) != 0 {
		t.Error("the file was taken over twice")
	}
	says(t, s.State().Problems, "could not be removed")
	// The owner changes it: that is another file.
	c.files[dropFile] = strings.Replace(dropped, "Card", "Other", 1)
	if got := Open(Options{Dir: dir, Boot: c}).Settings(); len(got.Wifi) != 1 || got.Wifi[0].SSID != "Other" {
		t.Error("another file was ignored")
	}
}

func TestSameFileMayBeDroppedAgainLater(t *testing.T) {
	dir := populated(t)
	c := newCard(dropFile, dropped)
	mustUpdate(t, Open(Options{Dir: dir, Boot: c}), func(s *Settings) error { return s.SetPassword("forgotten password") })
	c.files[dropFile] = dropped
	if s := Open(Options{Dir: dir, Boot: c}); !s.Settings().Password.Matches("from the card") {
		t.Error("the owner did not get in again")
	}
	// Power failed after the take-over; the file goes at the next start, and
	// may come back after that.
	c.files[dropFile], c.erase = dropped, syscall.EIO
	Open(Options{Dir: dir, Boot: c})
	c.erase = nil
	s := Open(Options{Dir: dir, Boot: c})
	if len(c.files) != 0 {
		t.Errorf("still there: %v", c.files)
	}
	mustUpdate(t, s, named("between"))
	c.files[dropFile] = strings.Replace(dropped, `"version":1`, `"version":1,"hostname":"again"`, 1)
	if got := Open(Options{Dir: dir, Boot: c}).Settings().Hostname; got != "again" {
		t.Errorf("hostname %q", got)
	}
}

func TestWrongFileOnTheBootPartitionChangesNothingAndIsExplainedThere(t *testing.T) {
	dir := populated(t)
	before, _ := Read(Options{Dir: dir})
	c := newCard(dropFile, `{"version":1,"hostname":"x","password":"short7!","wifi":[{"ssid":"a","psk":"seven77"}]}`)
	s := Open(Options{Dir: dir, Boot: c})
	same(t, "settings", s.Settings(), before)
	says(t, s.State().Problems, "not taken over", "wifi[0].psk", "8 to 63")
	note := c.files["prompt64-error.txt"]
	if !strings.Contains(note, "wifi[0].psk") || !strings.Contains(note, "password") || strings.Contains(note, "seven77") || strings.Contains(note, "short7!") {
		t.Errorf("note %q", note)
	}
	if c.files[dropFile] == "" {
		t.Error("the owner cannot correct the file: it is gone")
	}
	c.files[dropFile] = dropped
	Open(Options{Dir: dir, Boot: c})
	if len(c.files) != 0 {
		t.Errorf("left on the card: %v", c.files)
	}
}

func TestWrongFileOnTheBootPartitionIsToldOfUntilTheNextStart(t *testing.T) {
	dir := t.TempDir()
	c := newCard(dropFile, `{"version":1,"wifi":[{"ssid":"a","psk":"seven77"}]}`)
	s := Open(Options{Dir: dir, Boot: c})
	mustUpdate(t, s, setUp) // the first visit sets a password
	says(t, s.State().Problems, "not taken over", "wifi[0].psk", "remove it")
	if got := s.State(); !slices.Equal(got.Card, got.Problems) {
		t.Errorf("of the card: %q", got.Card)
	}
	delete(c.files, dropFile)
	says(t, s.State().Problems, "not taken over")
	if again := Open(Options{Dir: dir, Boot: c}).State().Problems; len(again) > 0 {
		t.Errorf("the file is gone, and it says %q", again)
	}
}

func TestFileOnTheBootPartitionOpensADeviceThatLostItsSettings(t *testing.T) {
	for text, setup := range map[string]bool{`{}`: true, dropped: false} {
		dir := populated(t)
		put(t, dir, configName, "{")
		put(t, dir, lastGoodName, "{")
		s := Open(Options{Dir: dir, Boot: newCard(dropFile, text)})
		if st := s.State(); st.Source != Loaded || st.Setup != setup {
			t.Errorf("%s: %+v", text, st)
		}
		if got := s.Settings().Pairing.Code; !got.Empty() {
			t.Error("a code came from nowhere")
		}
		if st := Open(Options{Dir: dir}).State(); st.Source != Loaded || st.Setup != setup {
			t.Errorf("%s: at the next start %+v", text, st)
		}
	}
}

func TestFileOnTheBootPartitionCountsEvenWhereNothingCanBeSaved(t *testing.T) {
	dir := t.TempDir()
	c := newCard(dropFile, dropped)
	s := Open(Options{Dir: dir, Boot: c, files: brokenDisk{files: disk{dir}, write: syscall.ENOSPC}})
	if !s.Settings().Password.Matches("from the card") || s.State().Setup {
		t.Errorf("not in force: %+v", s.State())
	}
	says(t, s.State().Problems, "not saved", "the disk is full", "stays on the boot partition")
	if c.files[dropFile] == "" {
		t.Error("the only copy of the settings is gone")
	}
}

func TestResetBringsBackTheNewDevice(t *testing.T) {
	for _, file := range []string{"prompt64-reset", "prompt64-reset.txt"} {
		dir, marker := populated(t), filepath.Join(t.TempDir(), "had")
		put(t, dir, damagedName, "{")
		put(t, dir, ".config.json123", "{")
		put(t, dir, "transcript", "not ours")
		put(t, filepath.Dir(marker), "had", "")
		c := newCard(file, "")
		o := Options{Dir: dir, Boot: c, Marker: marker}
		s := Open(o)
		same(t, "settings", s.Settings(), Default())
		if st := s.State(); st.Source != Fresh || !st.Setup || !st.Reset || len(st.Problems) > 0 {
			t.Errorf("state %+v", st)
		}
		if got := list(t, dir); len(got) != 1 || got[0] != "transcript" || len(c.files) != 0 {
			t.Errorf("left: %q, %v", got, c.files)
		}
		mustUpdate(t, s, setUp)
		if st := Open(o).State(); st.Source != Loaded || st.Reset {
			t.Errorf("at the next start %+v", st)
		}
	}
}

func TestResetThatCannotBeTakenOffTheCardHappensOnce(t *testing.T) {
	dir := populated(t)
	c := newCard(resetFile, "")
	c.erase = syscall.EROFS
	o := Options{Dir: dir, Boot: c}
	s := Open(o)
	if !s.State().Reset || !s.State().Setup {
		t.Errorf("state %+v", s.State())
	}
	says(t, s.State().Problems, "could not be removed", "remove it")
	mustUpdate(t, s, setUp)
	s = Open(o)
	if st := s.State(); st.Reset || st.Source != Loaded || s.Settings().Hostname != "attic" {
		t.Errorf("reset again: %+v", st)
	}
	delete(c.files, resetFile)
	Open(o)
	c.files[resetFile] = ""
	if !Open(o).State().Reset {
		t.Error("a second reset is ignored")
	}
}

func TestResetThenFileOfTheOwner(t *testing.T) {
	c := newCard(resetFile, "")
	c.files[dropFile] = dropped
	s := Open(Options{Dir: populated(t), Boot: c})
	if got := s.Settings(); got.Hostname != "prompt64" || !got.Pairing.Code.Empty() || !got.Password.Matches("from the card") {
		t.Errorf("settings %s", plain(got))
	}
	if st := s.State(); !st.Reset || st.Setup || st.Source != Loaded {
		t.Errorf("state %+v", st)
	}
}

// A reset that is cut off at any step is carried through at the next start.
func TestResetSurvivesAStopAtAnyStep(t *testing.T) {
	for at := range 10 {
		p := newPlatter()
		twoSaves(t, Options{Dir: "/perm", files: p})
		c := newCard(resetFile, "")
		w := &steps{files: p, spoil: at, how: fails(errStopped), dead: true}
		c.erase = nil
		stopping := &stoppingCard{c, w}
		Open(Options{Dir: "/perm", files: w, Boot: stopping})
		s := Open(Options{Dir: "/perm", files: p, Boot: c})
		if st := s.State(); st.Source != Fresh || !st.Setup {
			t.Errorf("stopped at step %d: %+v", at, st)
		}
		if len(c.files) > 0 {
			t.Errorf("stopped at step %d: left on the card %v", at, c.files)
		}
	}
}

// stoppingCard changes nothing once the steps are over.
type stoppingCard struct {
	*card
	w *steps
}

func (c *stoppingCard) Erase(name string) error {
	if c.w.gone() {
		return errStopped
	}
	return c.card.Erase(name)
}

func TestBootPartitionThatCannotBeReadCostsNothing(t *testing.T) {
	dir := populated(t)
	c := newCard(resetFile, "")
	c.broken = syscall.EIO
	s := Open(Options{Dir: dir, Boot: c})
	if st := s.State(); st.Source != Loaded || st.Reset || s.Settings().Hostname != "loft" {
		t.Errorf("state %+v", st)
	}
	says(t, s.State().Warnings, "boot partition", "input/output error")
}

func TestResetThatFailsIsSaid(t *testing.T) {
	p := newPlatter()
	twoSaves(t, Options{Dir: "/perm", files: p})
	c := newCard(resetFile, "")
	w := &steps{files: p, spoil: 2, how: fails(syscall.EROFS)}
	s := Open(Options{Dir: "/perm", files: w, Boot: c})
	if st := s.State(); st.Source != Fresh || !st.Setup || !st.Reset {
		t.Errorf("state %+v", st)
	}
	says(t, s.State().Problems, "not complete", "read-only")
	if len(c.files) == 0 {
		t.Error("the next start will not try again")
	}
}

func TestBootFolderErasesWhatItRemoves(t *testing.T) {
	dir := t.TempDir()
	b := BootFolder(dir)
	if err := b.WriteFile(dropFile, []byte(treasure)); err != nil {
		t.Fatal(err)
	}
	// A second name shows what is left in the blocks.
	other := filepath.Join(dir, "other")
	if err := os.Link(filepath.Join(dir, dropFile), other); err != nil {
		t.Skip("no links here:", err)
	}
	if data, err := b.ReadFile(dropFile); err != nil || string(data) != treasure {
		t.Fatalf("%q, %v", data, err)
	}
	if err := b.Erase(dropFile); err != nil {
		t.Fatal(err)
	}
	if _, err := b.ReadFile(dropFile); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
	if got := get(t, dir, "other"); strings.Trim(got, "\x00") != "" || len(got) != len(treasure) {
		t.Errorf("what is left: %q", got)
	}
	if err := b.Erase(dropFile); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a second time: %v", err)
	}
}

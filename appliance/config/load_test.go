package config

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestFolderWithoutSettingsHasDefaultsAndOpensSetup(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	s := Open(Options{Dir: dir})
	same(t, "settings", s.Settings(), Default())
	if st := s.State(); st.Source != Fresh || !st.Setup || len(st.Problems)+len(st.Warnings) > 0 || st.Status() != "none yet" {
		t.Errorf("state %+v", st)
	}
	if names := list(t, dir); len(names) > 0 {
		t.Errorf("opening wrote %q", names)
	}
}

func TestSettingsComeBackWithTheirSecrets(t *testing.T) {
	dir := populated(t)
	s := Open(Options{Dir: dir})
	want := Default()
	_ = setUp(&want)
	want.Hostname = "loft"
	same(t, "settings", s.Settings(), want)
	if st := s.State(); st.Source != Loaded || st.Setup || len(st.Problems)+len(st.Warnings) > 0 || st.Status() != "ok" {
		t.Errorf("state %+v", st)
	}
	for _, name := range list(t, dir) {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	for _, name := range []string{configName, lastGoodName} {
		for _, secret := range []string{"ABCD2345", "long enough", "argon2id"} {
			if strings.Contains(get(t, dir, name), secret) {
				t.Errorf("%s has %s", name, secret)
			}
		}
	}
}

// ways to lose a file.
var ways = map[string]func(t *testing.T, path string){
	"torn":    func(t *testing.T, path string) { truncate(t, path, 40) },
	"empty":   func(t *testing.T, path string) { truncate(t, path, 0) },
	"missing": func(t *testing.T, path string) { must(t, os.Remove(path)) },
	"zeros":   func(t *testing.T, path string) { must(t, os.WriteFile(path, make([]byte, 300), 0o600)) },
	"wrong": func(t *testing.T, path string) {
		must(t, os.WriteFile(path, []byte(`{"serial":{"baud":70000}}`), 0o600))
	},
	"newer":    func(t *testing.T, path string) { must(t, os.WriteFile(path, []byte(`{"version":2}`), 0o600)) },
	"huge":     func(t *testing.T, path string) { truncate(t, path, maxFile*2) },
	"a folder": func(t *testing.T, path string) { must(t, os.Remove(path)); must(t, os.Mkdir(path, 0o700)) },
	"a pipe":   func(t *testing.T, path string) { must(t, os.Remove(path)); must(t, syscall.Mkfifo(path, 0o600)) },
	"no secrets": func(t *testing.T, path string) {
		must(t, os.WriteFile(path, []byte(`{"version":1,"secrets":"secrets-00000000000000000000000000000000.json"}`), 0o600))
	},
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func truncate(t *testing.T, path string, size int64) { must(t, os.Truncate(path, size)) }

func TestFileThatIsNoGoodGivesWayToTheLastGoodOne(t *testing.T) {
	for name, spoil := range ways {
		t.Run(name, func(t *testing.T) {
			dir := populated(t)
			spoil(t, filepath.Join(dir, configName))
			s := Open(Options{Dir: dir})
			if st := s.State(); st.Source != LastGood || st.Setup || st.Status() != "last good in use" {
				t.Errorf("state %+v", st)
			}
			says(t, s.State().Problems, configName, "no good", "last good ones are in use")
			if got := s.Settings(); got.Hostname != "attic" || !got.Password.Matches(testPassword) {
				t.Errorf("settings %v", got)
			}
			if name == "a folder" || name == "a pipe" {
				if err := s.Update(named("x")); err == nil || !strings.Contains(err.Error(), "put one in its place") {
					t.Errorf("Update over %s: %v", name, err)
				}
				return
			}
			mustUpdate(t, s, named("mended"))
			if got := Open(Options{Dir: dir}); got.State().Source != Loaded || got.Settings().Hostname != "mended" {
				t.Errorf("after a save: %+v", got.State())
			}
			if name != "missing" && name != "huge" && get(t, dir, damagedName) == "" && name != "empty" {
				t.Error("the damaged file was not kept")
			}
			if !strings.Contains(get(t, dir, lastGoodName), `"attic"`) {
				t.Error("the damaged file pushed out the last good one")
			}
		})
	}
}

func TestLostSettingsCloseTheDevice(t *testing.T) {
	for name, spoil := range ways {
		t.Run(name, func(t *testing.T) {
			dir := populated(t)
			spoil(t, filepath.Join(dir, configName))
			ways["torn"](t, filepath.Join(dir, lastGoodName))
			s := Open(Options{Dir: dir, Boot: BootFolder(t.TempDir())})
			if st := s.State(); st.Source != Lost || st.Setup || st.Status() != "lost, closed" {
				t.Errorf("state %+v", st)
			}
			says(t, s.State().Problems, "lost", "prompt64.json", "prompt64-reset")
			same(t, "settings", s.Settings(), Default())
			if err := s.Update(setUp); err == nil || !strings.Contains(err.Error(), "prompt64-reset") {
				t.Errorf("somebody could set it up: %v", err)
			}
			if again := Open(Options{Dir: dir, Boot: BootFolder(t.TempDir())}).State(); again.Source != Lost {
				t.Errorf("the next start is %+v", again)
			}
		})
	}
}

func TestLossOfTheOnlyFileClosesTheDevice(t *testing.T) {
	dir := t.TempDir()
	mustUpdate(t, Open(Options{Dir: dir}), setUp)
	for _, name := range list(t, dir) {
		if name != lastGoodName {
			must(t, os.Remove(filepath.Join(dir, name)))
		}
	}
	if st := Open(Options{Dir: dir}).State(); st.Source != Lost || st.Setup {
		t.Errorf("state %+v", st)
	}
}

func TestLossOfTheWholeFolderIsNoticedByTheMarker(t *testing.T) {
	dir, marker := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "had")
	o := Options{Dir: dir, Marker: marker}
	s := Open(o)
	if !s.State().Setup {
		t.Fatal("a new device is closed")
	}
	mustUpdate(t, s, setUp)
	must(t, os.RemoveAll(dir))
	if st := Open(o).State(); st.Source != Lost || st.Setup {
		t.Errorf("state %+v", st)
	}
}

// A password that was set after the last good settings must not open Set-up by
// getting lost.
func TestLastGoodSettingsWithoutPasswordDoNotOpenSetup(t *testing.T) {
	dir := t.TempDir()
	s := Open(Options{Dir: dir})
	mustUpdate(t, s, named("one"))
	mustUpdate(t, s, named("two"))
	if !Open(Options{Dir: dir}).State().Setup {
		t.Fatal("Set-up closed before there was a password")
	}
	put(t, dir, configName, "{")
	s = Open(Options{Dir: dir, Boot: BootFolder(t.TempDir())})
	if st := s.State(); st.Source != LastGood || st.Setup {
		t.Errorf("state %+v", st)
	}
	says(t, s.State().Problems, "no password", dropFile)
	if err := s.Update(named("three")); err == nil {
		t.Error("a save could open Set-up at the next start")
	}
}

func TestFormerPasswordIsNotBroughtBack(t *testing.T) {
	dir := populated(t)
	mustUpdate(t, Open(Options{Dir: dir}), func(s *Settings) error { return s.SetPassword("another horse") })
	put(t, dir, configName, "{")
	s := Open(Options{Dir: dir})
	if s.Settings().Password.Matches(testPassword) || !s.Settings().Password.Matches("another horse") {
		t.Error("the last good settings have the former password")
	}
}

func TestFileWithoutItsSecretsIsLoadedButDoesNotOpenSetup(t *testing.T) {
	dir := populated(t)
	put(t, dir, configName, `{"version":1,"hostname":"edited","pairing":{"code":"HANDMADE"}}`)
	s := Open(Options{Dir: dir})
	if st := s.State(); st.Source != Loaded || st.Setup || st.Status() != "see pages" {
		t.Errorf("state %+v", st)
	}
	says(t, s.State().Problems, "names no file of secrets")
	if s.Settings().Hostname != "edited" || s.Settings().Pairing.Code.Reveal() != "HANDMADE" {
		t.Errorf("settings %v", s.Settings())
	}
	if st := Open(Options{Dir: dir}).State(); st.Setup {
		t.Error("the second start opens Set-up")
	}
}

// The file that an owner writes by hand, on a workstation.
func TestSecretsInTheFileAreMovedOutOfIt(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, configName, "\xEF\xBB\xBF"+`{"version":1,"hostname":"desk","password":"`+testPassword+`",
		"pairing":{"code":"HANDMADE","allow":["10.0.0.0/8"]},"wifi":[{"ssid":"Home","psk":"long enough"}]}`)
	if _, st := Read(Options{Dir: dir}); st.Setup || !strings.Contains(get(t, dir, configName), "HANDMADE") {
		t.Errorf("reading changed the file, or gives %+v", st)
	}
	for range 2 {
		s := Open(Options{Dir: dir})
		got := s.Settings()
		if got.Hostname != "desk" || got.Pairing.Code.Reveal() != "HANDMADE" || got.Wifi[0].PSK.Reveal() != "long enough" ||
			!got.Password.Matches(testPassword) || s.State().Setup || s.State().Source != Loaded {
			t.Errorf("%s, %+v", plain(got), s.State())
		}
		for _, name := range []string{configName, lastGoodName} {
			for _, secret := range []string{"HANDMADE", testPassword, "long enough"} {
				if strings.Contains(get(t, dir, name), secret) {
					t.Errorf("%s has %s", name, secret)
				}
			}
		}
	}
	// Later edits win over what was moved; what they do not name stays.
	text := strings.Replace(get(t, dir, configName), `"ssid": "Home"`, `"psk": "", "ssid": "Home"`, 1)
	put(t, dir, configName, strings.Replace(text, `"allow"`, `"code": "", "allow"`, 1))
	got := Open(Options{Dir: dir}).Settings()
	if !got.Pairing.Code.Empty() || !got.Wifi[0].PSK.Empty() || !got.Password.Matches(testPassword) {
		t.Errorf("an edit does not win: %s", plain(got))
	}
}

func TestWhatIsUnusualIsWarnedOf(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, configName, `{"colour":"blue","serial":{"parity":"odd"},"wifi":[{"ssid":"a","hidden":true}],"pairing":{"allow":["0.0.0.0/0"]}}`)
	w := Open(Options{Dir: dir}).State().Warnings
	for _, part := range []string{"no version", `"colour"`, `"serial.parity"`, `"wifi[0].hidden"`, "without a code"} {
		says(t, w, part)
	}
}

func TestWayBackOfAComputerOpensSetUpAgain(t *testing.T) {
	dir := populated(t)
	damage := func() {
		for _, name := range []string{configName, lastGoodName} {
			put(t, dir, name, "{ torn")
		}
	}
	damage()
	s := Open(Options{Dir: dir})
	says(t, s.State().Problems, dir, "names begin")
	if err := s.Update(named("x")); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("Update: %v", err)
	}
	for _, p := range s.State().Problems {
		if strings.Contains(p, "boot partition") {
			t.Errorf("a computer has none: %s", p)
		}
	}
	// It does what it says.
	names, err := filepath.Glob(filepath.Join(dir, configName+"*"))
	if err != nil || len(names) < 2 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	if s := Open(Options{Dir: dir}); !s.State().Setup || s.State().Source != Fresh {
		t.Errorf("state %+v", s.State())
	}
}

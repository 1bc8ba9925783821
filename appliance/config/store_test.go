package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

func TestRefusedChangeLeavesEverythingAsItWas(t *testing.T) {
	dir := populated(t)
	s := Open(Options{Dir: dir})
	before, file := s.Settings(), get(t, dir, configName)
	own := errors.New("not today")
	if err := s.Update(func(s *Settings) error { s.Hostname = "x"; return own }); !errors.Is(err, own) {
		t.Errorf("Update: %v", err)
	}
	err := s.Update(func(s *Settings) error { s.Wifi[0].PSK, s.Serial.Baud = NewSecret("seven77"), 1; return nil })
	var bad Invalid
	if !errors.As(err, &bad) || len(bad) != 2 || bad[0].Field != "wifi[0].psk" || strings.Contains(err.Error(), "seven77") {
		t.Errorf("Update: %v", err)
	}
	same(t, "settings", s.Settings(), before)
	if get(t, dir, configName) != file {
		t.Error("the file was written")
	}
}

func TestSettingsThatWereHandedOutAreNobodyElses(t *testing.T) {
	s := Open(Options{Dir: populated(t)})
	before := s.Settings()
	mine := s.Settings()
	mine.Wifi[0].SSID, mine.Pairing.Allow[0] = "mine", "10.0.0.0/8"
	same(t, "settings", s.Settings(), before)
}

func TestSaveOverALinkIsRefusedNotSilentlyReplaced(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	put(t, elsewhere, "real", `{"version":1,"hostname":"linked"}`)
	link(t, elsewhere+"/real", dir+"/"+configName)
	s := Open(Options{Dir: dir})
	if s.Settings().Hostname != "linked" {
		t.Errorf("not read through the link: %+v", s.State())
	}
	if err := s.Update(named("x")); err == nil || !strings.Contains(err.Error(), "no plain file") {
		t.Errorf("Update: %v", err)
	}
	if !strings.Contains(get(t, elsewhere, "real"), "linked") {
		t.Error("the file behind the link changed")
	}
}

func TestFirstSaveMakesASecondCopyAtOnce(t *testing.T) {
	dir := t.TempDir()
	s := Open(Options{Dir: dir})
	mustUpdate(t, s, setUp)
	if st := s.State(); st.Source != Loaded || st.Setup {
		t.Errorf("state %+v", st)
	}
	put(t, dir, configName, "")
	if got := Open(Options{Dir: dir}); got.State().Source != LastGood || got.Settings().Hostname != "attic" {
		t.Errorf("state %+v", got.State())
	}
}

func TestSubscriberHasTheSettingsAtOnceAndThenTheNewest(t *testing.T) {
	s := Open(Options{Dir: t.TempDir()})
	changes, cancel := s.Subscribe()
	other, cancelOther := s.Subscribe()
	defer cancelOther()
	if got := <-changes; got.Hostname != "prompt64" {
		t.Errorf("at first %q", got.Hostname)
	}
	for _, n := range []string{"one", "two", "three"} {
		mustUpdate(t, s, named(n))
	}
	if got := <-changes; got.Hostname != "three" {
		t.Errorf("a slow reader gets %q", got.Hostname)
	}
	cancel()
	cancel()
	if _, open := <-changes; open {
		t.Error("the channel is open after cancel")
	}
	mustUpdate(t, s, named("four"))
	if got := <-other; got.Hostname != "four" {
		t.Errorf("the other subscriber gets %q", got.Hostname)
	}
	if s.Update(named("not allowed")) == nil {
		t.Fatal("saved a wrong name")
	}
	select {
	case got := <-other:
		t.Errorf("a refused change was told: %q", got.Hostname)
	default:
	}
}

func TestManyMayReadAndSaveAtOnce(t *testing.T) {
	o := Options{Dir: "/perm", files: newPlatter()}
	s := Open(o)
	var wg sync.WaitGroup
	const writers, saves = 4, 10
	for w := range writers {
		wg.Go(func() {
			for i := range saves {
				if err := s.Update(func(s *Settings) error {
					s.Wifi = append(s.Wifi[:0:0], Network{SSID: fmt.Sprint(w, i)})
					s.Serial.extra = append(s.Serial.extra, member{fmt.Sprint("x", w, ".", i), json.RawMessage("1")})
					return nil
				}); err != nil {
					t.Error(err)
				}
			}
		})
		wg.Go(func() {
			changes, cancel := s.Subscribe()
			for range saves {
				<-changes
				_, _ = s.Settings(), s.State()
				break
			}
			cancel()
		})
	}
	wg.Wait()
	if n := len(s.Settings().Serial.extra); n != writers*saves {
		t.Errorf("%d of %d changes are there", n, writers*saves)
	}
	left, _ := Read(o)
	same(t, "on the disk", left, s.Settings())
}

// unknownFields are fields of a later version, with values of all kinds.
func unknownFields(t *rapid.T, label string) []member {
	names := rapid.SliceOfNDistinct(rapid.StringMatching(`x[a-zäß<" ]{0,5}`), 0, 3, rapid.ID[string]).Draw(t, label)
	values := []string{"1", "1e999", "123456789012345678901234567890", `"\u00e4<\/"`, "null", "true", `{"psk":[1, 2]}`, "[]", "-0.0"}
	var out []member
	for _, n := range names {
		out = append(out, member{n, json.RawMessage(rapid.SampledFrom(values).Draw(t, label+" "+n))})
	}
	return out
}

func drawSettings(t *rapid.T) Settings {
	text := func(label, pattern string) string { return rapid.StringMatching(pattern).Draw(t, label) }
	s := Default()
	s.Hostname = text("hostname", `[a-zA-Z0-9]([a-z0-9-]{0,20}[a-z0-9])?`)
	s.Listen = text("listen", `([a-z]{0,5}:[1-9][0-9]{0,3})?`)
	s.Workspaces = text("workspaces", `([a-zäö]{1,5}(/[a-z]{1,3}){0,2})?`)
	s.Pairing = Pairing{Code: NewSecret(text("code", `([A-Z2-9]{8})?`)), Allow: []string{}, extra: unknownFields(t, "pairing")}
	if rapid.Bool().Draw(t, "allow") {
		s.Pairing.Allow = []string{"10.0.0.0/8", "::1"}
	}
	names := rapid.SliceOfNDistinct(rapid.StringOfN(rapid.Rune(), 1, 8, 32), 0, 4, rapid.ID[string]).Draw(t, "ssids")
	for i, n := range names {
		s.Wifi = append(s.Wifi, Network{SSID: n, PSK: NewSecret(text(fmt.Sprint("psk", i), `([ -~]{8,63})?`)),
			Region: text("region", `([A-Z]{2})?`), extra: unknownFields(t, fmt.Sprint("wifi", i))})
	}
	s.Serial = Serial{Port: text("port", `(/dev/[a-z]{1,5})?`), Baud: rapid.SampledFrom(bauds).Draw(t, "baud"), extra: unknownFields(t, "serial")}
	s.Defaults.Access = frameAccess(rapid.Uint8Max(2).Draw(t, "access"))
	s.Defaults.Reasoning = frameReasoning(rapid.Uint8Max(3).Draw(t, "reasoning"))
	s.Defaults.Palette = rapid.Bool().Draw(t, "palette")
	s.Defaults.extra, s.extra = unknownFields(t, "defaults"), unknownFields(t, "top")
	if rapid.Bool().Draw(t, "password") {
		s.Password = testHash
	}
	return s
}

func TestWhatIsSavedComesBackWithItsUnknownFields(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := Options{Dir: "/perm", files: newPlatter()}
		want := drawSettings(t)
		s := Open(o)
		if err := s.Update(func(s *Settings) error { *s = want; return nil }); err != nil {
			t.Fatal(err)
		}
		got, state := Read(o)
		if plain(got) != plain(want) || state.Source != Loaded {
			t.Fatalf("%+v\n got %s\nwant %s", state, plain(got), plain(want))
		}
		// A program that changes one field keeps the others.
		if want.Password.Empty() && !state.Setup {
			return
		}
		if err := Open(o).Update(named("rewritten")); err != nil {
			t.Fatal(err)
		}
		want.Hostname = "rewritten"
		if got, _ = Read(o); plain(got) != plain(want) {
			t.Fatalf("rewritten:\n got %s\nwant %s", plain(got), plain(want))
		}
	})
}

func TestSecretsThatDoNotChangeAreNotWrittenAgain(t *testing.T) {
	dir := populated(t)
	secrets := func() (out []string) {
		for _, name := range list(t, dir) {
			if isSecretsFile(name) {
				out = append(out, name)
			}
		}
		return out
	}
	before := secrets()
	mustUpdate(t, Open(Options{Dir: dir}), named("other"))
	if after := secrets(); len(before) != 1 || fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("files of secrets: %q, then %q", before, after)
	}
	// The same secrets on another device have another name.
	if other := list(t, populated(t)); strings.Contains(fmt.Sprint(other), before[0]) {
		t.Errorf("%q tells that two devices have the same secrets", before[0])
	}
}

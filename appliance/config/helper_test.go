package config

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/leaks"
)

func TestMain(m *testing.M) {
	// Hundreds of saves, each with three syncs, would make a slow disk the
	// measure of these tests; what a sync is good for, the platter shows.
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() && os.Getenv("TMPDIR") == "" {
		_ = os.Setenv("TMPDIR", "/dev/shm")
	}
	if dir := os.Getenv(childVariable); dir != "" {
		saveForEver(dir)
		return
	}
	leaks.Main(m)
}

const testPassword = "correct horse"

// testHash is made once: hashing is slow on purpose.
var testHash = func() Password {
	p, err := NewPassword(testPassword)
	if err != nil {
		panic(err)
	}
	return p
}()

// setUp is a change that fills every part of the settings.
func setUp(s *Settings) error {
	s.Hostname = "attic"
	s.Password = testHash
	s.Pairing = Pairing{Code: NewSecret("ABCD2345"), Allow: []string{"192.168.1.0/24"}}
	s.Wifi = []Network{{SSID: "Home", PSK: NewSecret("long enough"), Region: "DE"}, {SSID: "Café"}}
	s.Serial.Port = "/dev/ttyUSB0"
	return nil
}

// named changes the hostname alone.
func named(to string) func(*Settings) error {
	return func(s *Settings) error { s.Hostname = to; return nil }
}

func mustUpdate(t testing.TB, s *Store, change func(*Settings) error) {
	t.Helper()
	if err := s.Update(change); err != nil {
		t.Fatal(err)
	}
}

// populated is a folder with settings and former settings, hostname "attic" and
// "loft".
func populated(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	s := Open(Options{Dir: dir})
	mustUpdate(t, s, setUp)
	mustUpdate(t, s, named("loft"))
	return dir
}

func put(t testing.TB, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func get(t testing.TB, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// list names what is in a folder.
func list(t testing.TB, dir string) []string {
	t.Helper()
	names, err := disk{dir}.List()
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// plain is everything that settings say, secrets too, whatever the layout of
// the unknown fields.
func plain(s Settings) string {
	var b bytes.Buffer
	if err := json.Compact(&b, write(s, view{secrets: showPlain})); err != nil {
		panic(err)
	}
	return b.String() + s.Password.hash.Reveal()
}

func same(t testing.TB, what string, got, want Settings) {
	t.Helper()
	if plain(got) != plain(want) {
		t.Errorf("%s:\n got %s\nwant %s", what, plain(got), plain(want))
	}
}

// says checks that one of the words for people has all of parts.
func says(t testing.TB, words []string, parts ...string) {
	t.Helper()
	for _, line := range words {
		found := true
		for _, part := range parts {
			found = found && strings.Contains(line, part)
		}
		if found {
			return
		}
	}
	t.Errorf("nothing of %q says %q", words, parts)
}

func link(t testing.TB, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Fatal(err)
	}
}

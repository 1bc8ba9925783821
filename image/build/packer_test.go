package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sources writes files that have what the changes look for.
func sources(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	texts := map[string]string{}
	for _, c := range changes {
		if texts[c.file] == "" {
			texts[c.file] = "package packer\n\nimport (\n\t\"time\"\n)\n"
		}
		texts[c.file] += strings.Repeat("x("+c.old+")\n", c.times)
	}
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o444); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestPackerLosesItsClock(t *testing.T) {
	dir := sources(t)
	if err := changeSources(dir); err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		b, err := os.ReadFile(filepath.Join(dir, c.file))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(b), c.old) || !strings.Contains(string(b), c.new) {
			t.Errorf("%s still has %q", c.file, c.old)
		}
		if strings.Contains(string(b), `"time"`) && !strings.Contains(string(b), "time.") {
			t.Errorf("%s imports time and does not use it", c.file)
		}
	}
}

// A newer packer may ask for the time in one more place: that must not be missed.
func TestPackerOfAnotherVersionIsRefused(t *testing.T) {
	dir := sources(t)
	name := filepath.Join(dir, "write.go")
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, append(b, "y(time.Now())\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := changeSources(dir); err == nil || !strings.Contains(err.Error(), "write.go") {
		t.Errorf("%v", err)
	}
}

package config

import (
	"os"
	"path/filepath"
	"testing"
)

func TestKeptContentSurvivesTheReplacementOfItsFile(t *testing.T) {
	d := disk{t.TempDir()}
	for what, keep := range map[string]func(name, as string) error{"linked": d.Keep, "copied": d.copy} {
		put(t, d.path, "a", "former")
		put(t, d.path, "b", "older")
		for range 2 { // the second time both names are one file already
			if err := keep("a", "b"); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
		}
		p, err := d.Write("a", []byte("new"))
		must(t, err)
		must(t, p.Sync())
		must(t, p.Replace())
		p.Discard()
		if a, b := get(t, d.path, "a"), get(t, d.path, "b"); a != "new" || b != "former" || len(list(t, d.path)) != 2 {
			t.Errorf("%s: %q and %q, %q", what, a, b, list(t, d.path))
		}
		if keep("missing", "b") == nil || get(t, d.path, "b") != "former" {
			t.Errorf("%s: a missing file replaced another", what)
		}
	}
}

func TestFilesAreForTheOwnersEyesOnlyWhateverTheyWere(t *testing.T) {
	d := disk{t.TempDir()}
	path := filepath.Join(d.path, configName)
	put(t, d.path, configName, "{}")
	must(t, os.Chmod(path, 0o644))
	mustUpdate(t, Open(Options{Dir: d.path}), setUp)
	for _, name := range list(t, d.path) {
		info, err := os.Stat(filepath.Join(d.path, name))
		must(t, err)
		if name != lastGoodName && info.Mode().Perm() != 0o600 {
			t.Errorf("%s is %v", name, info.Mode())
		}
	}
}

func TestSecondTraceOfSettingsComesAndGoes(t *testing.T) {
	marker := filepath.Join(t.TempDir(), "had")
	must(t, clearMarker(marker)) // nothing there: no error
	must(t, setMarker(marker))
	must(t, setMarker(marker))
	if _, err := os.Stat(marker); err != nil {
		t.Error(err)
	}
	must(t, clearMarker(marker))
	if _, err := os.Stat(marker); err == nil {
		t.Error("it is still there")
	}
	if setMarker(filepath.Join(marker, "no", "folder")) == nil {
		t.Error("a note that could not be written is not told of")
	}
}

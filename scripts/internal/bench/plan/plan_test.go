package plan

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestLabelsAreTheNewerOfTheTwo(t *testing.T) {
	p := Plan{Root: t.TempDir()}
	build := filepath.Join(p.Root, "c64prg", "build")
	if err := os.MkdirAll(build, 0o755); err != nil {
		t.Fatal(err)
	}
	begun := time.Unix(1e9, 0)
	for i, name := range []string{"check.lbl", "prompt64.lbl", "check.lbl"} {
		path := filepath.Join(build, name)
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		at := begun.Add(time.Duration(i) * time.Minute)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		if got := p.Labels(); got != path {
			t.Errorf("step %d: %s, want %s", i, got, path)
		}
	}
}

func TestAQuickRunMeasuresLessButSomething(t *testing.T) {
	full, quick := Plan{}, Plan{Quick: true}
	if quick.Runs() >= full.Runs() || quick.Of(30) >= full.Of(30) || quick.Of(1) < 1 {
		t.Errorf("quick: %d runs of %d and %d", quick.Runs(), quick.Of(30), quick.Of(1))
	}
}

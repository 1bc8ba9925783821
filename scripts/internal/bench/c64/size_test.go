package c64

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/scripts/internal/bench/plan"
)

const linked = `al 000002 .__ZP_START__
al 0000FE .__ZP_SIZE__
al 00002E .__ZP_LAST__
al 000801 .__MAIN_START__
al 005FFF .__MAIN_SIZE__
al 006801 .__MAIN_LAST__
al 00E400 .__LOW_START__
al 000400 .__LOW_SIZE__
al 00E400 .__LOW_LAST__
al 00F000 .__HIGH_START__
al 000FFA .__HIGH_SIZE__
al 00FFFA .__HIGH_LAST__
`

func TestFreeIsWhatLiesBehindTheLastSegment(t *testing.T) {
	l, err := machine.ReadLabels(strings.NewReader(linked))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := freeAreas(l)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{210, -1, 1024, 0} {
		if rows[i].Value != want {
			t.Errorf("%s: %v, want %v", rows[i].Name, rows[i].Value, want)
		}
	}
	if rows[1].Verdict() != "under" {
		t.Errorf("an area that overflows is %q", rows[1].Verdict())
	}
}

func TestAnAreaThatTheLinkerDoesNotTellIsAnError(t *testing.T) {
	l, err := machine.ReadLabels(strings.NewReader("al 000002 .__ZP_START__\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := freeAreas(l); err == nil || !strings.Contains(err.Error(), "size of ZP") {
		t.Errorf("%v", err)
	}
}

func TestAProgramOverItsBudgetIsOver(t *testing.T) {
	root := t.TempDir()
	build := filepath.Join(root, "c64prg", "build")
	if err := os.MkdirAll(build, 0o755); err != nil {
		t.Fatal(err)
	}
	p := plan.Plan{Root: root}
	if _, err := Size(t.Context(), p); err == nil {
		t.Error("no program was measured")
	}
	write := func(path string, b []byte) {
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(p.PRG(), make([]byte, sizeAim+1))
	if rows, err := Size(t.Context(), p); err == nil || len(rows) != 1 {
		t.Errorf("without symbols: %d rows, %v", len(rows), err)
	}
	write(p.Labels(), []byte(linked))
	rows, err := Size(t.Context(), p)
	if err != nil || rows[0].Verdict() != "over" {
		t.Errorf("%+v, %v", rows, err)
	}
}

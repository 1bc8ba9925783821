package c64

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/scripts/internal/bench/plan"
	"github.com/prompt64/prompt64/scripts/internal/bench/report"
)

// sizeAim is the program's budget in bytes.
const sizeAim = 24 << 10

// Size measures the program's file and what is free in the linker's areas.
func Size(_ context.Context, p plan.Plan) ([]report.Row, error) {
	info, err := os.Stat(p.PRG())
	if err != nil {
		return nil, fmt.Errorf("size of the program: %w", err)
	}
	rows := []report.Row{{Name: "PRG", Value: float64(info.Size()), Unit: "bytes", Exact: true, Aim: report.AtMost(sizeAim)}}
	labels, err := readLabels(p.Labels())
	if err != nil {
		return rows, err
	}
	free, err := freeAreas(labels)
	return append(rows, free...), err
}

// areas are the linker's, with what lies in them.
var areas = []struct{ name, holds string }{
	{"ZP", "zero page"},
	{"MAIN", "program"},
	{"LOW", "editor"},
	{"HIGH", "variables"},
}

// freeAreas reads what the linker says about its areas: where each begins, how
// long it is, and where the last segment in it ends.
func freeAreas(l *machine.Labels) ([]report.Row, error) {
	var rows []report.Row
	for _, a := range areas {
		var v [3]int
		for i, what := range []string{"START", "SIZE", "LAST"} {
			at, ok := l.Addr("__" + a.name + "_" + what + "__")
			if !ok {
				return rows, fmt.Errorf("free memory: the linker tells no %s of %s", strings.ToLower(what), a.name)
			}
			v[i] = int(at)
		}
		start, size, last := v[0], v[1], v[2]
		rows = append(rows, report.Row{Name: "free in " + a.name, Value: float64(start + size - last), Unit: "bytes", Exact: true,
			Aim: report.AtLeast(0), Note: fmt.Sprintf("%s, $%04X-$%04X", a.holds, start, start+size-1)})
	}
	return rows, nil
}

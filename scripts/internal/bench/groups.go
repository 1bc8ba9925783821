package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/prompt64/prompt64/scripts/internal/bench/c64"
	"github.com/prompt64/prompt64/scripts/internal/bench/codec"
	"github.com/prompt64/prompt64/scripts/internal/bench/codex"
	"github.com/prompt64/prompt64/scripts/internal/bench/link"
	"github.com/prompt64/prompt64/scripts/internal/bench/memory"
	"github.com/prompt64/prompt64/scripts/internal/bench/plan"
	"github.com/prompt64/prompt64/scripts/internal/bench/report"
	"github.com/prompt64/prompt64/scripts/internal/bench/serial"
	"github.com/prompt64/prompt64/scripts/internal/bench/shaper"
)

// group measures what belongs together. It may give rows and an error.
type group struct {
	name, about string
	measure     func(context.Context, plan.Plan) ([]report.Row, error)
}

var groups = []group{
	{"codec", "frames encoded and decoded", codec.Measure},
	{"shaper", "text to display-safe bytes", shaper.Measure},
	{"delta", "provider event to the client's socket, idle stream", link.Idle},
	{"busy", "the same in a stream that does not pause", link.Busy},
	{"replay", "a full retained log after a reconnect", link.Replay},
	{"serial", "the serial link at 38400 baud: payload, and the C64 at it", together(serial.Measure, c64.Serial)},
	{"memory", "the bridge's process with full leases", memory.Measure},
	{"codex", "what the bridge adds to Codex: time and memory", together(codex.Measure, memory.BesideCodex)},
	{"machine", "the C64 model's speed", c64.Speed},
	{"chars", "cycles a character on the C64", c64.Characters},
	{"text", "last byte of a frame to its text on the screen", c64.Latency},
	{"keys", "key to screen while text streams", c64.Keys},
	{"size", "the C64 program's size and free memory", c64.Size},
}

// together measures one thing after the other; what fails does not keep the rest
// from being measured.
func together(all ...func(context.Context, plan.Plan) ([]report.Row, error)) func(context.Context, plan.Plan) ([]report.Row, error) {
	return func(ctx context.Context, p plan.Plan) (rows []report.Row, err error) {
		for _, measure := range all {
			got, failed := measure(ctx, p)
			rows, err = append(rows, got...), errors.Join(err, failed)
		}
		return rows, err
	}
}

// choose picks groups by name; none picks all.
func choose(all []group, names []string) ([]group, error) {
	if len(names) == 0 {
		return all, nil
	}
	var out []group
	for _, name := range names {
		i := slices.IndexFunc(all, func(g group) bool { return g.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no group %q; there are: %s", name, strings.Join(namesOf(all), ", "))
		}
		out = append(out, all[i])
	}
	return out, nil
}

func namesOf(all []group) []string {
	var names []string
	for _, g := range all {
		names = append(names, g.name)
	}
	return names
}

// measure runs the groups one after the other. One that fails does not keep the
// others from being measured; the end of ctx does.
func measure(ctx context.Context, all []group, p plan.Plan, progress io.Writer) ([]report.Row, []report.Missing) {
	var rows []report.Row
	var missing []report.Missing
	for _, g := range all {
		err := ctx.Err()
		if err == nil {
			fmt.Fprintf(progress, "measuring %s: %s ...\n", g.name, g.about)
			var got []report.Row
			got, err = g.measure(ctx, p)
			rows = append(rows, got...)
		}
		if err != nil {
			missing = append(missing, report.Missing{Name: g.name + " (" + g.about + ")", Err: err})
		}
	}
	return rows, missing
}

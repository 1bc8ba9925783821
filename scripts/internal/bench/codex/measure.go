// Package codex measures what the bridge adds between Codex and a C64's socket:
// to each delta, and to the time from a prompt to its first words.
//
// Codex is a pretended one, a process of its own, whose words are the times at
// which it wrote them: neither the model nor Codex's own time is in the figures.
// Beside the bridge, another such process is read with nothing in between. Both
// are on one machine, so their clocks are one; if it is set meanwhile, the run is
// spoilt. The bench's program itself is that process: see codextest.Main.
package codex

import (
	"context"
	"fmt"

	"github.com/prompt64/prompt64/scripts/internal/bench/plan"
	"github.com/prompt64/prompt64/scripts/internal/bench/report"
	"github.com/prompt64/prompt64/scripts/internal/bench/stats"
)

// gap is the silence before each delta in ms: longer than the bridge waits to
// merge deltas, so each is the first after a silence.
const gap = 36

// sizes of a run.
const (
	deltas  = 150
	prompts = 30
)

// talker plays turns and tells when their words arrived.
type talker interface {
	// turn sends a prompt and reads its words up to the end of the turn.
	turn(prompt string) (heard, error)
	close() error
}

// figures are one run of a talker, in ms.
type figures struct{ delta, first stats.Sample }

// Measure measures the bridge and the bare stream in turns.
func Measure(ctx context.Context, p plan.Plan) ([]report.Row, error) {
	var bridge, bare []figures
	for range p.Runs() {
		for _, way := range []struct {
			open func(context.Context) (talker, error)
			to   *[]figures
		}{{openBridge, &bridge}, {openBare, &bare}} {
			f, err := once(ctx, way.open, p.Of(deltas), p.Of(prompts))
			if err != nil {
				return nil, fmt.Errorf("codex latency: %w", err)
			}
			*way.to = append(*way.to, f)
		}
	}
	return rows(bridge, bare), nil
}

// once is one talk. Its first turn opens the session and is not counted.
func once(ctx context.Context, open func(context.Context) (talker, error), deltas, prompts int) (f figures, err error) {
	t, err := open(ctx)
	if err != nil {
		return f, err
	}
	defer func() {
		if closeErr := t.close(); err == nil {
			err = closeErr
		}
	}()
	if _, err := t.turn("hello"); err != nil {
		return f, err
	}
	h, err := t.turn(fmt.Sprintf("[[clock %d %d]]", deltas, gap))
	if err != nil {
		return f, err
	}
	if len(h.late) != deltas {
		return f, fmt.Errorf("%d of %d deltas arrived", len(h.late), deltas)
	}
	f.delta = h.late
	for range prompts {
		h, err := t.turn("[[say Hello there.]]")
		if err != nil {
			return f, err
		}
		f.first = append(f.first, ms(h.first.Sub(h.sent)))
	}
	return f, nil
}

// rows sums up: a percentile of each run, then the median of the runs.
func rows(bridge, bare []figures) []report.Row {
	var out []report.Row
	delta := func(f figures) stats.Sample { return f.delta }
	first := func(f figures) stats.Sample { return f.first }
	for _, p := range []float64{50, 99} {
		out = append(out, beside("Codex's delta", fmt.Sprintf("p%.0f", p), at(bridge, p, delta), at(bare, p, delta), "written by Codex to the client's socket")...)
	}
	return append(out, beside("Codex's first words", "p50", at(bridge, 50, first), at(bare, 50, first), "from the prompt on the client's socket")...)
}

// at is a percentile of each run.
func at(runs []figures, p float64, of func(figures) stats.Sample) stats.Sample {
	var out stats.Sample
	for _, f := range runs {
		out = append(out, of(f).Percentile(p))
	}
	return out
}

// beside are a figure with the bridge, without it, and what the bridge adds.
func beside(name, which string, bridge, bare stats.Sample, note string) []report.Row {
	row := func(name string, s stats.Sample, note string) report.Row {
		return report.Row{Name: name + ": " + which, Value: s.Median(), Unit: "ms", Spread: s.Spread(), Note: note}
	}
	all := []report.Row{
		row(name, bridge, note),
		row(name+", read directly", bare, "the same stream without a bridge"),
		row(name+", added by the bridge", stats.Zip(bridge, bare, func(a, b float64) float64 { return a - b }), ""),
	}
	all[0].Ratio, all[0].To = stats.Zip(bridge, bare, func(a, b float64) float64 { return a / b }).Median(), "direct"
	return all
}

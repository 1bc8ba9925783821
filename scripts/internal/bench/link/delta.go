package link

import (
	"context"
	"fmt"
	"time"

	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/scripts/internal/bench/plan"
	"github.com/prompt64/prompt64/scripts/internal/bench/report"
	"github.com/prompt64/prompt64/scripts/internal/bench/stats"
)

// pause is the silence between a delta and the bare message after it. Two of
// them are longer than the bridge waits to merge deltas, so each is the first
// after a silence.
const pause = 18 * time.Millisecond

// idleAim is how much later than the bare echo a delta may be, in ms, at p99.
const idleAim = 0.3

// idleRun is one run: all in ms.
type idleRun struct{ delta, there, back stats.Sample }

// Idle measures deltas that come after a silence.
func Idle(ctx context.Context, p plan.Plan) ([]report.Row, error) {
	var runs []idleRun
	for range p.Runs() {
		r, err := idle(ctx, p.Of(240))
		if err != nil {
			return nil, fmt.Errorf("delta latency: %w", err)
		}
		runs = append(runs, r)
	}
	return idleRows(runs), nil
}

func idle(ctx context.Context, n int) (idleRun, error) {
	var r idleRun
	s, err := open(ctx)
	if err != nil {
		return r, err
	}
	defer s.close()
	word := " latency"
	w, err := newWire(len(frames.AssistantDelta{Text: []byte(word)}.AppendTo(nil)))
	if err != nil {
		return r, err
	}
	defer w.Close()
	for range n {
		time.Sleep(pause)
		start := time.Now()
		s.session.Text(word)
		a, err := next(s.deltas)
		if err != nil {
			return r, err
		}
		if a.text != word {
			return r, fmt.Errorf("%q arrived for %q", a.text, word)
		}
		time.Sleep(pause)
		there, back, err := w.ping()
		if err != nil {
			return r, err
		}
		r.delta = append(r.delta, ms(a.at.Sub(start)))
		r.there, r.back = append(r.there, ms(there)), append(r.back, ms(back))
	}
	return r, nil
}

// idleRows sums up: a percentile of each run, then the median of the runs.
func idleRows(runs []idleRun) []report.Row {
	at := func(p float64, of func(idleRun) stats.Sample) stats.Sample {
		var out stats.Sample
		for _, r := range runs {
			out = append(out, of(r).Percentile(p))
		}
		return out
	}
	var rows []report.Row
	for _, p := range []float64{50, 99} {
		delta := at(p, func(r idleRun) stats.Sample { return r.delta })
		there := at(p, func(r idleRun) stats.Sample { return r.there })
		back := at(p, func(r idleRun) stats.Sample { return r.back })
		over := stats.Zip(delta, back, minus)
		name := fmt.Sprintf("p%.0f", p)
		rows = append(rows,
			timed("delta, idle stream: "+name, delta, "provider event to the client's socket"),
			timed("bare echo: "+name, back, "the same size, there and back"),
			timed("bare message: "+name, there, "one way"),
			timed("delta over bare echo: "+name, over, ""),
			timed("delta over bare message: "+name, stats.Zip(delta, there, minus), ""))
		rows[len(rows)-5].Ratio, rows[len(rows)-5].To = stats.Zip(delta, back, divided).Median(), "echo"
		if p == 99 {
			rows[len(rows)-2].Aim = report.AtMost(idleAim)
		}
	}
	return rows
}

// timed is a row of milliseconds.
func timed(name string, s stats.Sample, note string) report.Row {
	return report.Row{Name: name, Value: s.Median(), Unit: "ms", Spread: s.Spread(), Note: note}
}

func minus(a, b float64) float64   { return a - b }
func divided(a, b float64) float64 { return a / b }

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

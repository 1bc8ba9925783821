package link

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/prompt64/prompt64/scripts/internal/bench/plan"
	"github.com/prompt64/prompt64/scripts/internal/bench/report"
	"github.com/prompt64/prompt64/scripts/internal/bench/stats"
	"github.com/prompt64/prompt64/scripts/internal/bench/texts"
)

// gap is the time between the words of a fast agent.
const gap = 2 * time.Millisecond

// busyBytes is how much it says in one run.
const busyBytes = 4000

// Busy measures deltas in a stream that does not pause, where the bridge merges
// them on purpose.
func Busy(ctx context.Context, p plan.Plan) ([]report.Row, error) {
	var p50, p99, merged stats.Sample
	for range p.Runs() {
		r, words, frames, err := busy(ctx, p.Of(busyBytes))
		if err != nil {
			return nil, fmt.Errorf("busy stream: %w", err)
		}
		p50, p99 = append(p50, r.Percentile(50)), append(p99, r.Percentile(99))
		merged = append(merged, float64(words)/float64(frames))
	}
	note := fmt.Sprintf("a word each %v, %.1f words a frame", gap, merged.Median())
	return []report.Row{
		timed("delta, busy stream: p50", p50, note),
		timed("delta, busy stream: p99", p99, ""),
	}, nil
}

// busy gives each word's time in ms, and how many frames carried the words.
func busy(ctx context.Context, size int) (r stats.Sample, words, frames int, err error) {
	s, err := open(ctx)
	if err != nil {
		return nil, 0, 0, err
	}
	defer s.close()
	pieces := texts.Pieces(" " + texts.Prose(size-2) + ".")
	began := time.Now()
	pushed := make([]atomic.Int64, len(pieces)) // ns since began
	said := make(chan struct{})
	go func() {
		defer close(said)
		for i, piece := range pieces {
			time.Sleep(gap)
			pushed[i].Store(int64(time.Since(began)))
			s.session.Text(piece)
		}
	}()
	defer func() { <-said }()
	arrived, ends, sum := 0, make([]int, len(pieces)), 0
	for i, piece := range pieces {
		sum += len(piece)
		ends[i] = sum
	}
	for arrived < sum {
		a, err := next(s.deltas)
		if err != nil {
			return nil, 0, 0, err
		}
		frames++
		arrived += len(a.text)
		for len(r) < len(pieces) && ends[len(r)] <= arrived {
			r = append(r, ms(a.at.Sub(began)-time.Duration(pushed[len(r)].Load())))
		}
	}
	return r, len(pieces), frames, nil
}

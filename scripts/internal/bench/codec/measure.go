package codec

import (
	"context"
	"fmt"
	"testing"

	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/scripts/internal/bench/plan"
	"github.com/prompt64/prompt64/scripts/internal/bench/report"
	"github.com/prompt64/prompt64/scripts/internal/bench/stats"
)

// Measure gives time, throughput and allocations of encoding and of reading and
// decoding, beside a bare copy of the same bytes frame by frame.
func Measure(_ context.Context, p plan.Plan) ([]report.Row, error) {
	mixes, err := loadMixes()
	if err != nil {
		return nil, err
	}
	dec := newDecoding(mixes)
	rows := measure(p, "encode", mixes, func(rounds int) { encode(mixes, rounds) })
	rows = append(rows, measure(p, "decode", mixes, dec.run)...)
	return rows, dec.err
}

// measure times one way through the codec; a round is every frame once.
func measure(p plan.Plan, name string, mixes []*mix, run func(rounds int)) []report.Row {
	count, size := 0, 0
	for _, m := range mixes {
		count += len(m.encoded)
		size += len(m.stream)
	}
	now, _, release := stats.Own()
	defer release()
	value, ratio := stats.Timer{Now: now}.Beside(p.Runs(), run, func(rounds int) { copyAll(mixes, rounds) })
	perFrame := value.Map(func(ns float64) float64 { return ns / float64(count) })
	speed := value.Map(func(ns float64) float64 { return float64(size) / ns * 1e3 })
	allocated := testing.AllocsPerRun(20, func() { run(1) }) / float64(count)
	return []report.Row{
		{Name: "codec: " + name + " a frame", Value: perFrame.Median(), Unit: "ns", Spread: perFrame.Spread(),
			Ratio: ratio.Median(), To: "copy", Note: fmt.Sprintf("%d frames of %d bytes on average", count, size/count)},
		{Name: "codec: " + name, Value: speed.Median(), Unit: "MB/s", Spread: speed.Spread()},
		{Name: "codec: " + name + ", allocations a frame", Value: allocated, Exact: true, Aim: report.AtMost(0)},
	}
}

// sink keeps the compiler from leaving work out.
var sink = make([]byte, 0, frames.MaxFrameToBridge)

func encode(mixes []*mix, rounds int) {
	buf := sink
	for range rounds {
		for _, m := range mixes {
			for _, message := range m.messages {
				buf = message.AppendTo(buf[:0])
			}
		}
	}
	sink = buf
}

func copyAll(mixes []*mix, rounds int) {
	buf := sink
	for range rounds {
		for _, m := range mixes {
			for _, b := range m.encoded {
				buf = append(buf[:0], b...)
			}
		}
	}
	sink = buf
}

// decoding reads the mixes' streams as a server of frames does.
type decoding struct {
	mixes   []*mix
	readers []*frames.Reader
	err     error
}

func newDecoding(mixes []*mix) *decoding {
	d := &decoding{mixes: mixes}
	for _, m := range mixes {
		d.readers = append(d.readers, frames.NewReader(&loop{b: m.stream}, m.direction))
	}
	return d
}

func (d *decoding) run(rounds int) {
	for range rounds {
		for i, m := range d.mixes {
			for range m.encoded {
				f, err := d.readers[i].Next()
				if err == nil {
					err = m.into[f.Type].Decode(f)
				}
				if err != nil {
					d.err = fmt.Errorf("decode: %w", err)
					return
				}
			}
		}
	}
}

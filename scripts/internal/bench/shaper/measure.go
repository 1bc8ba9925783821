// Package shaper measures the way of an answer's text to display-safe bytes, in
// the pieces in which agents stream it.
package shaper

import (
	"context"
	"unicode/utf8"

	"github.com/prompt64/prompt64/frames/display"
	"github.com/prompt64/prompt64/scripts/internal/bench/plan"
	"github.com/prompt64/prompt64/scripts/internal/bench/report"
	"github.com/prompt64/prompt64/scripts/internal/bench/stats"
	"github.com/prompt64/prompt64/scripts/internal/bench/texts"
)

const size = 32 << 10

// Measure gives the throughput for prose and for Markdown, beside a bare pass
// that decodes and encodes UTF-8.
func Measure(_ context.Context, p plan.Plan) ([]report.Row, error) {
	markdown := display.Options{Markdown: true, Palette: true}
	return []report.Row{
		measure(p, "shaper: prose, Markdown off", texts.Prose(size), display.Options{}),
		measure(p, "shaper: prose", texts.Prose(size), markdown),
		measure(p, "shaper: Markdown", texts.Markdown(size), markdown),
	}, nil
}

func measure(p plan.Plan, name, text string, options display.Options) report.Row {
	pieces := texts.Pieces(text)
	s := display.New(options)
	now, _, release := stats.Own()
	defer release()
	value, ratio := stats.Timer{Now: now}.Beside(p.Runs(),
		func(rounds int) {
			for range rounds {
				shape(s, pieces)
			}
		},
		func(rounds int) {
			for range rounds {
				pass(pieces)
			}
		})
	speed := value.Map(func(ns float64) float64 { return float64(len(text)) / ns * 1e3 })
	return report.Row{Name: name, Value: speed.Median(), Unit: "MB/s", Spread: speed.Spread(),
		Ratio: 1 / ratio.Median(), To: "UTF-8 pass", Note: "in words, as it streams"}
}

// sink keeps the compiler from leaving work out.
var sink []byte

func shape(s *display.Shaper, pieces []string) []byte {
	s.Reset()
	buf := sink[:0]
	for _, piece := range pieces {
		buf = s.Write(buf, piece)
	}
	sink = s.Flush(buf)
	return sink
}

func pass(pieces []string) {
	buf := sink[:0]
	for _, piece := range pieces {
		for _, r := range piece {
			buf = utf8.AppendRune(buf, r)
		}
	}
	sink = buf
}

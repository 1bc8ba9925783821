package c64

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/scripts/internal/bench/plan"
	"github.com/prompt64/prompt64/scripts/internal/bench/report"
	"github.com/prompt64/prompt64/scripts/internal/bench/stats"
)

const (
	latencyAim = 1  // video frame
	giveUp     = 50 // video frames
)

// Latency measures the time from a frame's last byte read from the UCI to its
// text in screen memory, on a stream that is not saturated.
func Latency(ctx context.Context, p plan.Plan) ([]report.Row, error) {
	var rows []report.Row
	for _, std := range []machine.Standard{machine.PAL, machine.NTSC} {
		took, err := latency(ctx, p, std)
		if err != nil {
			return rows, fmt.Errorf("frame to screen, %s: %w", std.Name, err)
		}
		rows = append(rows, both("last byte to screen, "+std.Name, took, "idle stream", report.AtMost(latencyAim))...)
	}
	return rows, nil
}

// both are the rows of a sample in video frames: its median and its worst.
func both(name string, took stats.Sample, note string, aim *report.Aim) []report.Row {
	return []report.Row{
		{Name: name + ": p50", Value: took.Median(), Unit: "frames", Exact: true, Note: note},
		{Name: name + ": worst", Value: took.Max(), Unit: "frames", Exact: true, Aim: aim, Note: fmt.Sprintf("of %d", len(took))},
	}
}

func latency(ctx context.Context, p plan.Plan, std machine.Standard) (stats.Sample, error) {
	s, err := sit(ctx, p, std)
	if err != nil {
		return nil, err
	}
	defer s.close()
	if err := s.begin(); err != nil {
		return nil, err
	}
	taken, err := s.addr("take_status") // runs right behind the last byte of a READ
	if err != nil {
		return nil, err
	}
	rnd := rand.New(rand.NewPCG(1, uint64(std.Lines)))
	var took stats.Sample
	for range p.Of(150) {
		if err := s.m.Run(rnd.Uint64N(3 * std.Frame())); err != nil {
			return nil, err
		}
		cycles, err := s.appear(taken, "word ")
		if err != nil {
			return nil, err
		}
		took = append(took, s.frames(cycles))
	}
	return took, nil
}

// appear says a word and gives the cycles from its last byte to the screen.
func (s *seat) appear(taken uint16, word string) (uint64, error) {
	if err := s.say(word); err != nil {
		return 0, err
	}
	var read, shown uint64
	s.m.Break(taken, func() {
		if shown == 0 {
			read = s.m.Clock()
		}
	})
	defer s.m.Break(taken, nil)
	stop, err := s.rows(firstText, endText, func(addr uint16, v byte) {
		if shown == 0 && s.m.Peek(addr) != v {
			shown = s.m.Clock()
		}
	})
	if err != nil {
		return 0, err
	}
	defer stop()
	for range giveUp {
		if err := s.m.RunFrames(1); err != nil {
			return 0, err
		}
		if shown != 0 && read != 0 {
			return shown - read, nil
		}
	}
	return 0, errors.New("the word did not appear\n" + s.d.Dump())
}

package c64

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/c64prg/machine/drive"
	"github.com/prompt64/prompt64/scripts/internal/bench/plan"
	"github.com/prompt64/prompt64/scripts/internal/bench/report"
	"github.com/prompt64/prompt64/scripts/internal/bench/stats"
	"github.com/prompt64/prompt64/scripts/internal/bench/texts"
)

const (
	proseSize  = 8 << 10
	charsAim   = 250 // cycles a character, wrap and scroll included
	lastWords  = " That is all."
	stillAfter = 25 // video frames without a change: it has come to rest
)

// Characters measures all cycles from the moment in which the text waits at the
// C64's socket to its last character in screen memory, over the characters.
func Characters(ctx context.Context, p plan.Plan) ([]report.Row, error) {
	var rows []report.Row
	for _, std := range []machine.Standard{machine.PAL, machine.NTSC} {
		row, err := characters(ctx, p, std)
		if err != nil {
			return rows, fmt.Errorf("cycles a character, %s: %w", std.Name, err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func characters(ctx context.Context, p plan.Plan, std machine.Standard) (report.Row, error) {
	s, err := sit(ctx, p, std)
	if err != nil {
		return report.Row{}, err
	}
	defer s.close()
	var each stats.Sample
	for run := range p.Runs() {
		if err := s.begin(); err != nil {
			return report.Row{}, err
		}
		if err := s.m.Run(uint64(run) * 3001); err != nil { // another place of the beam
			return report.Row{}, err
		}
		cycles, err := s.stream(p, run == 0)
		if err != nil {
			return report.Row{}, err
		}
		each = append(each, float64(cycles)/proseSize)
		if err := s.end(); err != nil {
			return report.Row{}, err
		}
	}
	return report.Row{Name: "cycles a character, " + std.Name, Value: each.Median(), Unit: "cycles", Spread: each.Spread(),
		Aim: report.AtMost(charsAim), Note: fmt.Sprintf("8 KiB at %.0f characters a second", float64(std.Hz)/each.Median())}, nil
}

// stream says 8 KiB and runs until all of it is on the screen; it gives the
// cycles up to the last change.
func (s *seat) stream(p plan.Plan, profile bool) (uint64, error) {
	if err := s.say(texts.Prose(proseSize-len(lastWords)) + lastWords); err != nil {
		return 0, err
	}
	begun, last := s.m.Clock(), s.m.Clock()
	stop, err := s.rows(firstText, endText, func(addr uint16, v byte) {
		if s.m.Peek(addr) != v {
			last = s.m.Clock()
		}
	})
	if err != nil {
		return 0, err
	}
	defer stop()
	if profile && p.Profile != nil {
		s.m.Profile()
		defer s.m.StopProfile()
	}
	still := func(sc *drive.Screen) bool {
		return s.frames(s.m.Clock()-last) > stillAfter && sc.Has(strings.TrimSpace(lastWords))
	}
	if err := s.d.WaitFor("the end of the text", 60*time.Second, still); err != nil {
		return 0, err
	}
	if profile && p.Profile != nil {
		p.Profile("cycles a character, "+s.m.Standard().Name+", by routine:", s.costs())
	}
	return last - begun, nil
}

// costs are the dearest routines of the profile.
func (s *seat) costs() []string {
	var lines []string
	for i, c := range s.m.Costs() {
		if i == 20 {
			break
		}
		lines = append(lines, fmt.Sprintf("%7.1f  %s", float64(c.Cycles)/proseSize, c.Name))
	}
	return lines
}

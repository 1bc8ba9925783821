package c64

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/scripts/internal/bench/plan"
	"github.com/prompt64/prompt64/scripts/internal/bench/report"
	"github.com/prompt64/prompt64/scripts/internal/bench/stats"
	"github.com/prompt64/prompt64/scripts/internal/bench/texts"
)

// speedAim is how many times faster than a real C64 the model should be.
const speedAim = 8

// Speed measures emulated time over real time, with the program on line: while
// text streams, and idle with the sleep taken away that a waiting machine does.
func Speed(ctx context.Context, p plan.Plan) ([]report.Row, error) {
	now, ok, release := stats.Own()
	defer release()
	s, err := sit(ctx, p, machine.PAL)
	if err != nil {
		return nil, err
	}
	defer s.close()
	idle, streaming := pair{now: now, known: ok}, pair{now: now, known: ok}
	for range p.Runs() {
		if err := s.run(&idle); err != nil {
			return nil, fmt.Errorf("machine speed: %w", err)
		}
		if err := s.begin(); err != nil {
			return nil, fmt.Errorf("machine speed: %w", err)
		}
		if err := s.say(texts.Prose(flood-len(lastWords)) + lastWords); err != nil {
			return nil, err
		}
		if err := s.run(&streaming); err != nil {
			return nil, fmt.Errorf("machine speed: %w", err)
		}
		if s.d.Screen().Has("all.") {
			return nil, errors.New("machine speed: the text had ended before the time")
		}
		if err := s.cancel(); err != nil {
			return nil, fmt.Errorf("machine speed: %w", err)
		}
	}
	return append(streaming.rows("streaming"), idle.rows("idle")...), nil
}

// span is the emulated time of one run.
const span = 6 * time.Second

// pair is times real speed, by the wall clock and by the thread's own time,
// which other programs on the machine do not take part in.
type pair struct {
	now       func() time.Time // the thread's own clock
	known     bool             // there is one
	wall, own stats.Sample
}

func (s *seat) run(p *pair) error {
	cycles := uint64(span.Seconds() * float64(s.m.Standard().Hz))
	began, used := time.Now(), p.now()
	if err := s.m.Run(cycles); err != nil {
		return err
	}
	p.wall = append(p.wall, span.Seconds()/time.Since(began).Seconds())
	p.own = append(p.own, span.Seconds()/p.now().Sub(used).Seconds())
	return nil
}

func (p *pair) rows(name string) []report.Row {
	rows := []report.Row{{Name: "machine speed, " + name, Value: p.wall.Median(), Unit: "x real", Spread: p.wall.Spread(), Aim: report.AtLeast(speedAim)}}
	if p.known {
		rows = append(rows, report.Row{Name: "machine speed, " + name + ", by its own time", Value: p.own.Median(), Unit: "x real",
			Spread: p.own.Spread(), Note: "without what other programs took"})
	}
	return rows
}

// cancel ends a turn whose text is still on its way.
func (s *seat) cancel() error {
	if err := s.d.Press(machine.KeyStop); err != nil {
		return err
	}
	return s.d.WaitText("READY", 60*time.Second)
}

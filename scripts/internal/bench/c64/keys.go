package c64

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/c64prg/machine/drive"
	"github.com/prompt64/prompt64/scripts/internal/bench/plan"
	"github.com/prompt64/prompt64/scripts/internal/bench/report"
	"github.com/prompt64/prompt64/scripts/internal/bench/stats"
	"github.com/prompt64/prompt64/scripts/internal/bench/texts"
)

// flood is about as much text as one turn may hold; it streams for longer than
// all keys take.
const flood = 56 << 10

// Keys measures the time from a key to its character in screen memory while
// text streams in as fast as it can be shown: from the moment in which the key
// counts (two scans agree), and from its contact.
func Keys(ctx context.Context, p plan.Plan) ([]report.Row, error) {
	var rows []report.Row
	for _, std := range []machine.Standard{machine.PAL, machine.NTSC} {
		counted, contact, err := keys(ctx, p, std)
		if err != nil {
			return rows, fmt.Errorf("key to screen, %s: %w", std.Name, err)
		}
		rows = append(rows, both("key that counts to screen, "+std.Name, counted, "while text streams", report.AtMost(latencyAim))...)
		rows = append(rows, both("key contact to screen, "+std.Name, contact, "with debouncing", nil)...)
	}
	return rows, nil
}

func keys(ctx context.Context, p plan.Plan, std machine.Standard) (counted, contact stats.Sample, err error) {
	s, err := sit(ctx, p, std)
	if err != nil {
		return nil, nil, err
	}
	defer s.close()
	store, err := s.addr("key_store")
	if err != nil {
		return nil, nil, err
	}
	if err := s.begin(); err != nil {
		return nil, nil, err
	}
	if err := s.say(texts.Prose(flood-len(lastWords)) + lastWords); err != nil {
		return nil, nil, err
	}
	rnd := rand.New(rand.NewPCG(2, uint64(std.Lines)))
	for i := range p.Of(120) {
		a, b, err := s.press(store, rune('a'+i%26), rnd)
		if err != nil {
			return nil, nil, err
		}
		if i > 0 { // the first one takes the editor's hints away
			counted, contact = append(counted, a), append(contact, b)
		}
	}
	if s.d.Screen().Has("all.") {
		return nil, nil, errors.New("the text had ended before the last key")
	}
	return counted, contact, nil
}

// press presses a letter at any moment, and lets it go; it gives video frames.
func (s *seat) press(store uint16, letter rune, rnd *rand.Rand) (counted, contact float64, err error) {
	if err := s.m.Run(2*s.m.Standard().Frame() + rnd.Uint64N(2*s.m.Standard().Frame())); err != nil {
		return 0, 0, err
	}
	matrix, ok := drive.RuneKeys(letter)
	if !ok {
		return 0, 0, fmt.Errorf("no key types %q", letter)
	}
	code := byte(letter - 'a' + 1)
	var took, shown uint64
	s.m.Break(store, func() {
		if took == 0 {
			took = s.m.Clock()
		}
	})
	defer s.m.Break(store, nil)
	stop, err := s.rows(firstEdit, endEdit, func(addr uint16, v byte) {
		if shown == 0 && v == code && s.m.Peek(addr) != v {
			shown = s.m.Clock()
		}
	})
	if err != nil {
		return 0, 0, err
	}
	defer stop()
	pressed := s.m.Clock()
	s.m.KeyDown(matrix[0])
	defer s.m.KeyUp(matrix[0])
	for range giveUp {
		if err := s.m.RunFrames(2); err != nil {
			return 0, 0, err
		}
		if shown != 0 && took != 0 {
			return s.frames(shown - took), s.frames(shown - pressed), nil
		}
	}
	return 0, 0, fmt.Errorf("%q did not appear\n%s", letter, s.d.Dump())
}

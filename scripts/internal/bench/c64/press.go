package c64

import (
	"fmt"
	"math/rand/v2"

	"github.com/prompt64/prompt64/c64prg/machine/drive"
	"github.com/prompt64/prompt64/scripts/internal/bench/stats"
)

// noteLooks notes the video frames between two looks at the keyboard.
func (s *seat) noteLooks(into *stats.Sample) error {
	scan, err := s.addr("keys_scan")
	if err != nil {
		return err
	}
	var last uint64
	s.m.Break(scan, func() {
		if last != 0 {
			*into = append(*into, s.frames(s.m.Clock()-last))
		}
		last = s.m.Clock()
	})
	return nil
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

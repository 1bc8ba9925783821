package c64

import (
	"fmt"

	"github.com/prompt64/prompt64/c64prg/machine/drive"
)

// The rows of the screen by what is in them.
const (
	firstText, endText = 1, 21
	firstEdit, endEdit = 22, 25
)

// rows calls f for each write to some rows of the screen; stop ends it. Where
// the screen is, the program's own table of rows says.
func (s *seat) rows(first, end int, f func(addr uint16, v byte)) (stop func(), err error) {
	low, ok := s.labels.Addr("row_low")
	high, ok2 := s.labels.Addr("row_high")
	if !ok || !ok2 {
		return nil, fmt.Errorf("the program has no symbols row_low and row_high")
	}
	set := func(f func(uint16, byte)) {
		for row := first; row < end; row++ {
			at := uint16(s.m.Peek(high+uint16(row)))<<8 | uint16(s.m.Peek(low+uint16(row)))
			for column := range uint16(drive.Columns) {
				s.m.Watch(at+column, f)
			}
		}
	}
	set(f)
	return func() { set(nil) }, nil
}

// addr is a symbol of the program.
func (s *seat) addr(name string) (uint16, error) {
	a, ok := s.labels.Addr(name)
	if !ok {
		return 0, fmt.Errorf("the program has no symbol %s", name)
	}
	return a, nil
}

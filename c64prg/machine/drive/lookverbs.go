package drive

import (
	"fmt"
	"strconv"
	"strings"
)

// lookVerbs print or check what a person does not see at a glance.
func lookVerbs() []verb {
	return []verb{
		{"dump", "", "print the screen", func(s *Script, _ string) error {
			_, err := fmt.Fprintln(s.Out, s.Driver.Dump())
			return err
		}},
		{"png", "FILE", "save the picture", func(s *Script, rest string) error {
			if err := s.Driver.RunFrames(2); err != nil {
				return err
			}
			return s.Driver.SavePNG(rest)
		}},
		{"peek", "ADDR [N]", "print N bytes of RAM", peekVerb},
		{"poke", "ADDR VALUE...", "write bytes to RAM", pokeVerb},
		{"sid", "", "print and clear the log of the sound chip", sidVerb},
		{"notes", "", "print breaches of the interface's rules", func(s *Script, _ string) error {
			for _, n := range s.Driver.M.Notes() {
				fmt.Fprintln(s.Out, n)
			}
			return nil
		}},
		{"clean", "", "there must be no such breaches", func(s *Script, _ string) error {
			if n := s.Driver.M.Notes(); len(n) > 0 {
				return fmt.Errorf("%d breaches:\n%s", len(n), strings.Join(n, "\n"))
			}
			return nil
		}},
		{"border", "N", "the border must have colour N", func(s *Script, rest string) error {
			n, err := number(rest)
			if err != nil {
				return err
			}
			if got := s.Driver.Screen().Border; int(got) != n {
				return fmt.Errorf("the border is %d", got)
			}
			return nil
		}},
		{"speed", "N", "N times real time; 0 is as fast as it can", func(s *Script, rest string) error {
			f, err := strconv.ParseFloat(rest, 64)
			if err != nil {
				return err
			}
			s.Driver.M.SetSpeed(f)
			return nil
		}},
	}
}

func peekVerb(s *Script, rest string) error {
	f := strings.Fields(rest)
	if len(f) == 0 {
		return fmt.Errorf("which address?")
	}
	addr, err := number(f[0])
	if err != nil {
		return err
	}
	n := 1
	if len(f) > 1 {
		if n, err = number(f[1]); err != nil {
			return err
		}
	}
	fmt.Fprintf(s.Out, "%04X:", addr)
	for i := range n {
		fmt.Fprintf(s.Out, " %02X", s.Driver.M.Peek(uint16(addr+i)))
	}
	fmt.Fprintln(s.Out)
	return nil
}

func pokeVerb(s *Script, rest string) error {
	f := strings.Fields(rest)
	if len(f) < 2 {
		return fmt.Errorf("say an address and bytes")
	}
	addr, err := number(f[0])
	if err != nil {
		return err
	}
	for i, t := range f[1:] {
		v, err := number(t)
		if err != nil {
			return err
		}
		s.Driver.M.Poke(uint16(addr+i), byte(v))
	}
	return nil
}

func sidVerb(s *Script, _ string) error {
	for _, w := range s.Driver.M.SIDLog() {
		fmt.Fprintf(s.Out, "%12d D4%02X = %02X\n", w.Cycle, w.Reg, w.Value)
	}
	s.Driver.M.ClearSID()
	return nil
}

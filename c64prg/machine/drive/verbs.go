package drive

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/prompt64/prompt64/c64prg/machine"
)

// verbs is the script language: what a person does at the C64.
func verbs() []verb {
	return append([]verb{
		{"wait", "TEXT [SECONDS]", "until TEXT is on the screen (10 s); quote TEXT that ends in a number", waitVerb},
		{"gone", "TEXT [SECONDS]", "until TEXT is no more on the screen", goneVerb},
		{"match", "REGEXP", "until the expression matches (10 s)", matchVerb},
		{"expect", "TEXT", "TEXT must be on the screen now", expectVerb},
		{"reject", "TEXT", "TEXT must not be on the screen now", rejectVerb},
		{"type", `TEXT`, `type TEXT; \n is RETURN`, typeVerb},
		{"roll", "TEXT", "type with overlapping keys", rollVerb},
		{"press", "KEY...", "press keys one after the other: F1 STOP UP a", pressVerb},
		{"hold", "KEY SECONDS", "keep a key down", holdVerb},
		{"restore", "", "press RESTORE", func(s *Script, _ string) error { s.Driver.M.Restore(); return nil }},
		{"joy", "PORT [up down left right fire]", "set a joystick's contacts", joyVerb},
		{"run", "SECONDS", "let time pass", runVerb},
		{"menu", "SECONDS", "the Ultimate's menu is open: the C64 stands still", menuVerb},
		{"reset", "", "press reset and start the program again", resetVerb},
	}, append(netVerbs(), lookVerbs()...)...)
}

func waitVerb(s *Script, rest string) error {
	t, d, err := textSeconds(rest, s.Wait)
	if err != nil {
		return err
	}
	return s.Driver.WaitText(t, d)
}

func goneVerb(s *Script, rest string) error {
	t, d, err := textSeconds(rest, s.Wait)
	if err != nil {
		return err
	}
	return s.Driver.WaitGone(t, d)
}

func matchVerb(s *Script, rest string) error {
	re, err := regexp.Compile(rest)
	if err != nil {
		return err
	}
	return s.Driver.WaitMatch(re, s.Wait)
}

func expectVerb(s *Script, rest string) error {
	t, err := text(rest)
	if err != nil {
		return err
	}
	if !s.Driver.Screen().Has(t) {
		return fmt.Errorf("%q is not on the screen\n%s", t, s.Driver.Dump())
	}
	return nil
}

func rejectVerb(s *Script, rest string) error {
	t, err := text(rest)
	if err != nil {
		return err
	}
	if s.Driver.Screen().Has(t) {
		return fmt.Errorf("%q is on the screen\n%s", t, s.Driver.Dump())
	}
	return nil
}

func typeVerb(s *Script, rest string) error {
	t, err := text(rest)
	if err != nil {
		return err
	}
	return s.Driver.Type(t)
}

func rollVerb(s *Script, rest string) error {
	t, err := text(rest)
	if err != nil {
		return err
	}
	return s.Driver.Roll(t)
}

func pressVerb(s *Script, rest string) error {
	names := strings.Fields(rest)
	if len(names) == 0 {
		return errors.New("which key?")
	}
	for _, n := range names {
		keys, err := KeyNamed(n)
		if err != nil {
			return err
		}
		if err := s.Driver.Press(keys...); err != nil {
			return err
		}
	}
	return nil
}

func holdVerb(s *Script, rest string) error {
	name, secs, _ := strings.Cut(rest, " ")
	keys, err := KeyNamed(name)
	if err != nil {
		return err
	}
	d, err := seconds(secs)
	if err != nil {
		return err
	}
	return s.Driver.Hold(d, keys...)
}

func joyVerb(s *Script, rest string) error {
	f := strings.Fields(rest)
	if len(f) == 0 || f[0] != "1" && f[0] != "2" {
		return errors.New("the port is 1 or 2")
	}
	contacts := map[string]machine.Joy{"up": machine.JoyUp, "down": machine.JoyDown, "left": machine.JoyLeft,
		"right": machine.JoyRight, "fire": machine.JoyFire}
	var j machine.Joy
	for _, n := range f[1:] {
		c, ok := contacts[n]
		if !ok {
			return fmt.Errorf("%q is no contact of a joystick", n)
		}
		j |= c
	}
	s.Driver.M.Joystick(int(f[0][0]-'0'), j)
	return nil
}

func runVerb(s *Script, rest string) error {
	d, err := seconds(rest)
	if err != nil {
		return err
	}
	return s.Driver.Run(d)
}

func resetVerb(s *Script, _ string) error {
	if s.Load == nil {
		return errors.New("nothing can load the program again here")
	}
	s.Driver.M.Reset()
	return s.Load()
}

func menuVerb(s *Script, rest string) error {
	d, err := seconds(rest)
	if err == nil {
		s.Driver.Menu(d)
	}
	return err
}

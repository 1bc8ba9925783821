package drive

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/prompt64/prompt64/c64prg/machine/uci"
)

// netVerbs are the faults of the network and of the Ultimate.
func netVerbs() []verb {
	toggle := func(name, help string, f func(d *uci.Device, on bool)) verb {
		return verb{name, "on|off", help, func(s *Script, rest string) error {
			on, err := onOff(rest)
			if err == nil {
				f(s.Driver.M.UCI(), on)
			}
			return err
		}}
	}
	return []verb{
		{"cut", "blackhole|reset|close", "break the line", cutVerb},
		{"cutafter", "BYTES in|out KIND", "break the line after BYTES more", cutAfterVerb},
		{"mend", "", "end a black hole", func(s *Script, _ string) error { s.Driver.Mend(); return nil }},
		toggle("refuse", "the host refuses connections", (*uci.Device).Refuse),
		toggle("noanswer", "the host does not answer connections", (*uci.Device).NoAnswer),
		toggle("nodns", "no name resolves", (*uci.Device).NoDNS),
		toggle("absent", "the command interface is switched off", (*uci.Device).Off),
		toggle("wedge", "the command interface stays busy", (*uci.Device).Wedge),
		{"lose", "", "the next command is lost, as in a race of old firmware", func(s *Script, _ string) error {
			s.Driver.M.UCI().LoseCommand()
			return nil
		}},
		{"lag", "SECONDS", "what arrives comes later", func(s *Script, rest string) error {
			d, err := seconds(rest)
			if err == nil {
				s.Driver.M.UCI().Lag(d)
			}
			return err
		}},
		{"fragment", "BYTES SECONDS", "bytes arrive in pieces with a gap; 0 0 ends it", fragmentVerb},
		{"dirty", "command|data HEX", "an earlier program's rest in the interface", dirtyVerb},
		{"firmware", "NAME", "another firmware: 3.10 3.11 3.12 3.12a 3.14 3.15 newer", func(s *Script, rest string) error {
			p, err := uci.ProfileNamed(rest)
			if err == nil {
				s.Driver.M.UCI().SetProfile(p)
			}
			return err
		}},
	}
}

var cutNames = map[string]uci.Cut{"blackhole": uci.BlackHole, "reset": uci.Reset, "close": uci.Close}

// CutNamed finds a kind of cut.
func CutNamed(name string) (uci.Cut, error) {
	k, ok := cutNames[name]
	if !ok {
		return 0, fmt.Errorf("%q: a line is cut by blackhole, reset or close", name)
	}
	return k, nil
}

func cutVerb(s *Script, rest string) error {
	k, err := CutNamed(rest)
	if err == nil {
		s.Driver.Cut(k)
	}
	return err
}

func cutAfterVerb(s *Script, rest string) error {
	f := strings.Fields(rest)
	if len(f) != 3 || f[1] != "in" && f[1] != "out" {
		return errors.New("say how many bytes, in or out, and the kind")
	}
	n, err := number(f[0])
	if err != nil {
		return err
	}
	k, err := CutNamed(f[2])
	if err != nil {
		return err
	}
	dir := uci.In
	if f[1] == "out" {
		dir = uci.Out
	}
	s.Driver.CutAfter(n, dir, k)
	return nil
}

func fragmentVerb(s *Script, rest string) error {
	f := strings.Fields(rest)
	if len(f) != 2 {
		return errors.New("say how many bytes and how many seconds apart")
	}
	n, err := number(f[0])
	if err != nil {
		return err
	}
	gap, err := seconds(f[1])
	if err == nil {
		s.Driver.M.UCI().Fragment(n, gap)
	}
	return err
}

func dirtyVerb(s *Script, rest string) error {
	what, hex, _ := strings.Cut(rest, " ")
	var b []byte
	for _, f := range strings.Fields(hex) {
		v, err := strconv.ParseUint(f, 16, 8)
		if err != nil {
			return fmt.Errorf("%q is no byte in hex", f)
		}
		b = append(b, byte(v))
	}
	switch what {
	case "command":
		s.Driver.M.UCI().LeaveCommand(b)
	case "data":
		s.Driver.M.UCI().LeaveData(b)
	default:
		return errors.New("say command or data")
	}
	return nil
}

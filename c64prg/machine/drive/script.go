package drive

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// Script runs lines such as "wait READY 5" or "type hello\n"; see Help.
type Script struct {
	Driver *Driver
	Out    io.Writer             // what dump, peek, sid and notes print
	Load   func() error          // puts the program into memory again, for restart
	Wait   time.Duration         // how patient wait, gone and match are; 10 s when zero
	Step   func(n int, l string) // told of each line before it runs; may be nil
}

// defaultWait is how long wait is patient, in emulated time.
const defaultWait = 10 * time.Second

// verb is one command of the language.
type verb struct {
	name, args, help string
	run              func(s *Script, rest string) error
}

// Help describes the language, a line for each command.
func Help() string {
	var b strings.Builder
	for _, v := range verbs() {
		fmt.Fprintf(&b, "  %-32s %s\n", v.name+" "+v.args, v.help)
	}
	return b.String()
}

// Run runs a script to its end or its first failing line.
func (s *Script) Run(r io.Reader) error {
	if s.Wait == 0 {
		s.Wait = defaultWait
	}
	table := map[string]verb{}
	for _, v := range verbs() {
		table[v.name] = v
	}
	sc := bufio.NewScanner(r)
	for n := 1; sc.Scan(); n++ {
		line := strings.TrimSpace(sc.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, rest, _ := strings.Cut(line, " ")
		v, ok := table[name]
		if !ok {
			return fmt.Errorf("script line %d: no command %q; there are:\n%s", n, name, Help())
		}
		if s.Step != nil {
			s.Step(n, line)
		}
		if err := v.run(s, strings.TrimSpace(rest)); err != nil {
			return fmt.Errorf("script line %d: %s: %w", n, line, err)
		}
	}
	if err := sc.Err(); err != nil {
		return fmt.Errorf("script: read: %w", err)
	}
	return nil
}

// text reads an argument: quoted as in Go, or plain, where \n and \\ count.
func text(s string) (string, error) {
	if strings.HasPrefix(s, `"`) {
		out, err := strconv.Unquote(s)
		if err != nil {
			return "", fmt.Errorf("%s: the quotes do not match", s)
		}
		return out, nil
	}
	if s == "" {
		return "", fmt.Errorf("text is missing")
	}
	return strings.NewReplacer(`\n`, "\n", `\\`, `\`).Replace(s), nil
}

// textSeconds reads text and, behind it, a number of seconds.
func textSeconds(s string, def time.Duration) (string, time.Duration, error) {
	if i := strings.LastIndexByte(s, ' '); i > 0 {
		if t, err := seconds(s[i+1:]); err == nil {
			out, err := text(strings.TrimSpace(s[:i]))
			return out, t, err
		}
	}
	out, err := text(s)
	return out, def, err
}

func seconds(s string) (time.Duration, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f < 0 || f > 1e6 {
		return 0, fmt.Errorf("%q is no number of seconds", s)
	}
	return time.Duration(f * float64(time.Second)), nil
}

// number reads a decimal, $hex or 0xhex number.
func number(s string) (int, error) {
	v, err := strconv.ParseInt(strings.Replace(s, "$", "0x", 1), 0, 32)
	if err != nil {
		return 0, fmt.Errorf("%q is no number", s)
	}
	return int(v), nil
}

// onOff reads a switch.
func onOff(s string) (bool, error) {
	switch s {
	case "on":
		return true, nil
	case "off":
		return false, nil
	}
	return false, fmt.Errorf("%q: say on or off", s)
}

package drive

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// TimeoutError says what did not come in time, with the screen.
type TimeoutError struct {
	What   string
	After  time.Duration
	Screen string
}

// Error implements error.
func (e *TimeoutError) Error() string {
	return fmt.Sprintf("wait: %s: not within %s\n%s", e.What, e.After, e.Screen)
}

// WaitFor runs the machine, a frame at a time, until the screen satisfies ok.
func (d *Driver) WaitFor(what string, within time.Duration, ok func(*Screen) bool) error {
	end := d.M.Clock() + d.cycles(within)
	for {
		if ok(d.Screen()) {
			return nil
		}
		if d.M.Clock() >= end {
			return &TimeoutError{what, within, d.Dump()}
		}
		if err := d.RunFrames(1); err != nil {
			return err
		}
	}
}

// WaitText waits for words on the screen. A word may be broken over two rows:
// see Has.
func (d *Driver) WaitText(text string, within time.Duration) error {
	return d.WaitFor(fmt.Sprintf("text %q", text), within, func(s *Screen) bool { return s.Has(text) })
}

// WaitGone waits until words are no more on the screen.
func (d *Driver) WaitGone(text string, within time.Duration) error {
	return d.WaitFor(fmt.Sprintf("no text %q", text), within, func(s *Screen) bool { return !s.Has(text) })
}

// WaitMatch waits for a regular expression in the screen's text, where rows are
// lines.
func (d *Driver) WaitMatch(re *regexp.Regexp, within time.Duration) error {
	return d.WaitFor("match of "+re.String(), within, func(s *Screen) bool { return re.MatchString(s.Text()) })
}

// Has says whether text is on the screen: in one row, or wrapped over rows, at a
// blank or at the right edge. On a screen that is switched off there is nothing.
func (s *Screen) Has(text string) bool {
	if s.Blank {
		return false
	}
	if strings.Contains(s.Text(), text) {
		return true
	}
	var joined, packed strings.Builder
	for i := range Rows {
		line := s.Line(i)
		joined.WriteString(strings.TrimSpace(line) + " ")
		packed.WriteString(line)
	}
	return strings.Contains(joined.String(), text) || strings.Contains(packed.String(), text)
}

package demo

import (
	"strings"
	"unicode/utf8"
)

// maxOutput is how much of a command's output is shown, in bytes. It leaves
// room for the rest of a turn in what a lease retains.
const maxOutput = 24 * 1024

// fence is longer than what files of Markdown have, so that the output does not
// end its own block.
const fence = "`````\n"

// output turns what a command prints into pieces of an answer: whole
// characters, and bounded.
type output struct {
	say  func(string) error
	rest []byte // the beginning of a character
	used int
	more int  // bytes that are not shown
	line bool // the last line has no end yet
}

// write takes the next bytes. An error is the turn's end.
func (o *output) write(data []byte) error {
	o.rest = append(o.rest, data...)
	cut := lastWhole(o.rest)
	whole := strings.ToValidUTF8(string(o.rest[:cut]), string(utf8.RuneError))
	o.rest = append(o.rest[:0], o.rest[cut:]...)
	return o.show(whole)
}

// close shows what is left, and ends the last line and the block.
func (o *output) close() error {
	rest := strings.ToValidUTF8(string(o.rest), string(utf8.RuneError))
	o.rest = nil
	if err := o.show(rest); err != nil {
		return err
	}
	switch {
	case o.used == 0:
		return nil // no output, no block
	case o.line:
		return o.say("\n" + fence)
	}
	return o.say(fence)
}

// show says as much of a text as the bound allows.
func (o *output) show(text string) error {
	if o.more > 0 || text == "" {
		o.more += len(text)
		return nil
	}
	if room := maxOutput - o.used; len(text) > room {
		for room > 0 && !utf8.RuneStart(text[room]) {
			room--
		}
		o.more = len(text) - room
		if text = text[:room]; text == "" {
			return nil
		}
	}
	if o.used == 0 {
		text = fence + text
	}
	o.used += len(text)
	o.line = !strings.HasSuffix(text, "\n")
	return o.say(text)
}

// lastWhole is how much of data can be shown now: up to a character at the end
// whose last bytes are still to come.
func lastWhole(data []byte) int {
	for back := 1; back <= min(utf8.UTFMax, len(data)); back++ {
		at := len(data) - back
		if utf8.RuneStart(data[at]) {
			if utf8.FullRune(data[at:]) {
				return len(data)
			}
			return at
		}
	}
	return len(data)
}

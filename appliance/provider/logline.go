package provider

import (
	"regexp"
	"strings"
	"unicode"
)

// escapes are a terminal's control sequences: titles and links (OSC), colours
// and movements (CSI), and those of two characters, in the shapes of ECMA-48.
var escapes = regexp.MustCompile("\x1b\\][^\a\x1b]*(?:\a|\x1b\\\\)?|\x1b\\[[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?")

// LogLine makes a line of an agent's log plain: programs colour it even where
// nobody has a terminal. Nothing of a control sequence is left, nor any other
// control character.
func LogLine(line string) string {
	line = escapes.ReplaceAllString(line, "")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, line))
}

package provider

import (
	"strings"
	"unicode"
)

// MaxTitle is the longest title that Title makes, in characters. A row of the
// session list holds 90 bytes.
const MaxTitle = 80

// Title makes a session's title of its first prompt: the first line that has
// something to read, white space folded, control characters dropped, cut at a
// word where it is too long. It is empty for a prompt of nothing but space.
func Title(prompt string) string {
	for line := range strings.Lines(prompt) {
		if title := foldSpace(line); title != "" {
			return cutTitle(title)
		}
	}
	return ""
}

// foldSpace makes every run of white space one space and drops what cannot be
// shown.
func foldSpace(line string) string {
	shown := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, line)
	return strings.Join(strings.Fields(shown), " ")
}

// cutTitle shortens a title to MaxTitle characters with an ellipsis at its end.
func cutTitle(title string) string {
	runes := []rune(title)
	if len(runes) <= MaxTitle {
		return title
	}
	cut := string(runes[:MaxTitle-1])
	// A word is given up only if most of the line stays.
	if space := strings.LastIndexByte(cut, ' '); space > len(cut)/2 {
		cut = cut[:space]
	}
	return strings.TrimSpace(cut) + "\u2026"
}

package provider

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLogLinesLoseTheirColoursAndNothingElse(t *testing.T) {
	for raw, want := range map[string]string{
		"plain words: [31m is no colour":                             "plain words: [31m is no colour",
		"\x1b[2m2026-11-30T15:00:00Z\x1b[0m \x1b[33m WARN\x1b[0m no": "2026-11-30T15:00:00Z  WARN no",
		"\x1b[38;2;1;2;3mtrue colour\x1b[m":                          "true colour",
		"\x1b]0;a title\abehind":                                     "behind",
		"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\":                   "link",
		"\x1b(Bcharset\x1bMup\x1b[?25l":                              "charsetup",
		"bell\a back\b\ttab\r\n":                                     "bell back tab",
		"Grüße \U0001F600":                                           "Grüße \U0001F600",
		"cut off \x1b[3":                                             "cut off",
		"cut off \x1b":                                               "cut off",
		"":                                                           "",
	} {
		if got := LogLine(raw); got != want {
			t.Errorf("%q became %q, want %q", raw, got, want)
		}
	}
}

func TestLogLinesAreFreeOfControlCharacters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.StringOfN(rapid.SampledFrom([]rune("ab 1;?[]()m\x1b\a\\\b\t\u009b")), 0, 30, -1).Draw(t, "raw")
		if got := LogLine(raw); strings.ContainsFunc(got, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }) {
			t.Errorf("%q became %q", raw, got)
		}
	})
}

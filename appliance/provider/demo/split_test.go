package demo

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func itoa(n int) string { return strconv.Itoa(n) }

func TestArgumentsAreSplitAtSpaceOutsideOfQuotes(t *testing.T) {
	for line, want := range map[string][]string{
		"":                       nil,
		"  ls   -l\n":            {"ls", "-l"},
		`echo "a b" 'c d'`:       {"echo", "a b", "c d"},
		`a"b c"d`:                {"ab cd"},
		`"" ''`:                  {"", ""},
		`"a\"b\\c" '\'`:          {`a"b\c`, `\`},
		`sh -c "printf 'a\nb'"`:  {"sh", "-c", `printf 'a\nb'`},
		`$HOME ; rm * \x`:        {"$HOME", ";", "rm", "*", `\x`},
		"caf\u00e9 \U0001F600":   {"caf\u00e9", "\U0001F600"},
		"one\ttwo":               {"one", "two"},
		`sh -c "echo x >> ran" `: {"sh", "-c", "echo x >> ran"},
	} {
		got, err := splitArgs(line)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("splitArgs(%q) = %q, %v; want %q", line, got, err, want)
		}
	}
	for _, line := range []string{`"open`, `'open`, `a "b\`, `"x\"`} {
		if got, err := splitArgs(line); err == nil {
			t.Errorf("splitArgs(%q) = %q", line, got)
		}
	}
}

func TestShownCommandHidesNoArgument(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		argv := rapid.SliceOfN(rapid.String(), 1, 5).Draw(t, "argv")
		shown := joinArgs(argv)
		if strings.ContainsAny(shown, "\n\r\t\x00\x1b") {
			t.Fatalf("%q is shown as %q", argv, shown)
		}
		// Each argument can be read back from what is shown.
		rest, n := shown, 0
		for rest != "" {
			word, tail, _ := strings.Cut(rest, " ")
			if strings.HasPrefix(rest, `"`) {
				quoted, err := strconv.QuotedPrefix(rest)
				if err != nil {
					t.Fatalf("%q is shown as %q", argv, shown)
				}
				word, _ = strconv.Unquote(quoted)
				tail = strings.TrimPrefix(rest[len(quoted):], " ")
			}
			if n >= len(argv) || word != argv[n] {
				t.Fatalf("%q is shown as %q", argv, shown)
			}
			rest, n = tail, n+1
		}
		if n != len(argv) {
			t.Fatalf("%q is shown as %q", argv, shown)
		}
	})
}

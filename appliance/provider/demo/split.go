package demo

import (
	"strconv"
	"strings"
	"unicode"
)

// splitArgs splits a command line at white space. Single or double quotes keep
// an argument together, and within double quotes a backslash keeps a quote or a
// backslash, and is itself before anything else, as in a shell; nothing else is
// special: no shell reads it. A quote that stays open is wrong arguments.
func splitArgs(line string) ([]string, error) {
	var args []string
	for {
		line = strings.TrimLeftFunc(line, unicode.IsSpace)
		if line == "" {
			return args, nil
		}
		arg, rest, err := nextArg(line)
		if err != nil {
			return nil, err
		}
		args, line = append(args, arg), rest
	}
}

// nextArg takes the first argument of a line that does not begin with space.
// The rest begins with the space behind it.
func nextArg(line string) (arg, rest string, err error) {
	var b strings.Builder
	quote := rune(0)
	escaped := false
	for i, r := range line {
		switch {
		case escaped:
			escaped = false
			if r != '"' && r != '\\' {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		case quote == '"' && r == '\\':
			escaped = true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			b.WriteRune(r)
		case r == '\'' || r == '"':
			quote = r
		case unicode.IsSpace(r):
			return b.String(), line[i:], nil
		default:
			b.WriteRune(r)
		}
	}
	if quote != 0 || escaped {
		return "", "", errUsage
	}
	return b.String(), "", nil
}

// joinArgs writes a command so that each argument can be told apart and nothing
// in it is invisible.
func joinArgs(argv []string) string {
	quoted := make([]string, len(argv))
	for i, arg := range argv {
		quoted[i] = quoteArg(arg)
	}
	return strings.Join(quoted, " ")
}

func quoteArg(arg string) string {
	plain := arg != "" && strings.IndexFunc(arg, func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r) || strings.ContainsRune(`"'\`+"`", r)
	}) < 0
	if plain {
		return arg
	}
	return strconv.Quote(arg)
}

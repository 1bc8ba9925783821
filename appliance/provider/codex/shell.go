package codex

import (
	"path"
	"strings"
)

// bareCommand takes the wrapper off a command: /bin/bash -lc 'ls' is ls. What is
// not exactly such a wrapper stays as it is.
func bareCommand(command string) string {
	words, ok := splitShell(command)
	if !ok || len(words) != 3 {
		return command
	}
	switch path.Base(words[0]) {
	case "bash", "sh", "zsh", "dash":
	default:
		return command
	}
	if words[1] != "-lc" && words[1] != "-c" {
		return command
	}
	return words[2]
}

// splitShell splits a command into words as a shell does: blanks, quotes and
// backslashes. Anything that a shell would expand is left alone; false if a
// quote does not end.
func splitShell(command string) (words []string, ok bool) {
	var word strings.Builder
	inWord := false
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch c {
		case ' ', '\t', '\n':
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
			continue
		case '\'':
			end := strings.IndexByte(command[i+1:], '\'')
			if end < 0 {
				return nil, false
			}
			word.WriteString(command[i+1 : i+1+end])
			i += end + 1
		case '"':
			n := doubleQuoted(command[i+1:], &word)
			if n < 0 {
				return nil, false
			}
			i += n
		case '\\':
			if i++; i == len(command) {
				return nil, false
			}
			word.WriteByte(command[i])
		default:
			word.WriteByte(c)
		}
		inWord = true
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, true
}

// doubleQuoted reads to the closing quote and returns how much it took; -1 if
// there is none.
func doubleQuoted(text string, word *strings.Builder) int {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			return i + 1
		case '\\':
			if i+1 < len(text) && strings.IndexByte("\"\\$`", text[i+1]) >= 0 {
				i++
				word.WriteByte(text[i])
				continue
			}
			word.WriteByte(c)
		default:
			word.WriteByte(c)
		}
	}
	return -1
}

package display

import "strings"

// cells takes a table's line apart.
func cells(line []rune) [][]rune {
	s := strings.TrimPrefix(strings.Trim(string(line), " \t"), "|")
	if strings.HasSuffix(s, "|") && !strings.HasSuffix(s, `\|`) {
		s = s[:len(s)-1]
	}
	var all [][]rune
	var cell []rune
	escaped := false
	end := func() {
		all = append(all, []rune(strings.Trim(string(cell), " \t")))
		cell = cell[:0]
	}
	for _, r := range s {
		switch {
		case r == '|' && escaped:
			cell[len(cell)-1] = r
		case r == '|':
			end()
		default:
			cell = append(cell, r)
		}
		escaped = r == '\\'
	}
	end()
	return all
}

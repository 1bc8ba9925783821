package workspace

import "strings"

// posixClasses are the named sets in a bracket expression, ASCII only.
var posixClasses = map[string]func(c byte) bool{
	"alnum":  func(c byte) bool { return isAlpha(c) || isDigit(c) },
	"alpha":  isAlpha,
	"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
	"cntrl":  func(c byte) bool { return c < ' ' || c == 0x7F },
	"digit":  isDigit,
	"graph":  isGraph,
	"lower":  func(c byte) bool { return c >= 'a' && c <= 'z' },
	"print":  func(c byte) bool { return c == ' ' || isGraph(c) },
	"punct":  func(c byte) bool { return isGraph(c) && !isAlpha(c) && !isDigit(c) },
	"space":  func(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' },
	"upper":  func(c byte) bool { return c >= 'A' && c <= 'Z' },
	"xdigit": func(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' },
}

func isAlpha(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isGraph(c byte) bool { return c > ' ' && c < 0x7F }

// parseClass reads a bracket expression at the start of p: the bytes that it
// holds and its length. One without an end, or with an unknown name, is none.
func parseClass(p string) (set *[256]bool, n int, ok bool) {
	set = new([256]bool)
	i := 1
	negated := i < len(p) && (p[i] == '!' || p[i] == '^')
	if negated {
		i++
	}
	last := -1 // the byte that a range may begin with
	for first := true; ; first = false {
		if i >= len(p) {
			return nil, 0, false
		}
		c := p[i]
		switch {
		case c == ']' && !first:
			if negated {
				for j := range set {
					set[j] = !set[j]
				}
			}
			return set, i + 1, true
		case c == '-' && last >= 0 && i+1 < len(p) && p[i+1] != ']':
			i++
			if p[i] == '\\' {
				if i++; i == len(p) {
					return nil, 0, false
				}
			}
			for b := last; b <= int(p[i]); b++ {
				set[b] = true
			}
			last = -1
			i++
			continue
		case c == '[' && i+1 < len(p) && p[i+1] == ':':
			end := strings.IndexByte(p[i+2:], ']')
			if end < 0 {
				return nil, 0, false
			}
			name := p[i+2 : i+2+end]
			if !strings.HasSuffix(name, ":") { // not a name: the bracket is a byte
				break
			}
			in, known := posixClasses[strings.TrimSuffix(name, ":")]
			if !known {
				return nil, 0, false
			}
			for b := range set {
				set[b] = set[b] || in(byte(b))
			}
			last = -1
			i += end + 3
			continue
		case c == '\\':
			if i++; i == len(p) {
				return nil, 0, false
			}
			c = p[i]
		}
		set[c] = true
		last = int(c)
		i++
	}
}

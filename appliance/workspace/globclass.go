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

// class reads a bracket expression.
type class struct {
	p    string
	i    int // how far it is read
	set  *[256]bool
	last int // the byte that a range may begin with, -1 if none
}

// parseClass reads a bracket expression at the start of p: the bytes that it
// holds and its length. One without an end, or with an unknown name, is none.
func parseClass(p string) (set *[256]bool, n int, ok bool) {
	c := class{p: p, i: 1, set: new([256]bool), last: -1}
	negated := len(p) > 1 && (p[1] == '!' || p[1] == '^')
	if negated {
		c.i++
	}
	for first := true; first || c.i >= len(p) || p[c.i] != ']'; first = false {
		if c.i >= len(p) || !c.item() {
			return nil, 0, false
		}
	}
	if negated {
		for b := range c.set {
			c.set[b] = !c.set[b]
		}
	}
	return c.set, c.i + 1, true
}

// item takes a byte, a range or a name.
func (c *class) item() bool {
	rest := c.p[c.i:]
	if strings.HasPrefix(rest, "[:") {
		if end := strings.IndexByte(rest[2:], ']'); end < 0 {
			return false
		} else if name, ok := strings.CutSuffix(rest[2:2+end], ":"); ok {
			c.i += end + 3
			return c.named(name)
		} // else the bracket is a byte like others
	}
	if rest[0] == '-' && c.last >= 0 && len(rest) > 1 && rest[1] != ']' {
		c.i++
		to, ok := c.char()
		for b := c.last; b <= int(to); b++ {
			c.set[b] = true
		}
		c.last = -1
		return ok
	}
	b, ok := c.char()
	c.set[b] = true
	c.last = int(b)
	return ok
}

// char takes one byte, which a backslash may stand before.
func (c *class) char() (byte, bool) {
	if c.p[c.i] == '\\' {
		c.i++
	}
	if c.i >= len(c.p) {
		return 0, false
	}
	c.i++
	return c.p[c.i-1], true
}

func (c *class) named(name string) bool {
	in, known := posixClasses[name]
	for b := range c.set {
		c.set[b] = c.set[b] || known && in(byte(b))
	}
	c.last = -1
	return known
}

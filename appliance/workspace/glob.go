package workspace

import "strings"

// A glob is a pattern of a .gitignore file, made into a small automaton: the
// time to match is bounded by its length times the name's, whatever the stars.
type glob struct {
	tokens []token
}

type tokenKind uint8

const (
	tokByte   tokenKind = iota // this byte
	tokAny                     // one byte, no slash
	tokClass                   // one byte of a set, no slash
	tokStar                    // any bytes, no slash
	tokAll                     // anything
	tokDirs                    // any number of whole folders with their slashes
	tokInDirs                  // inside one of those folders' names
)

type token struct {
	kind tokenKind
	char byte
	set  *[256]bool
}

// compileGlob makes a glob, of a pattern in lower case if fold is set; ok is false for a pattern that matches nothing.
func compileGlob(p string, fold bool) (g *glob, ok bool) {
	if fold {
		p = strings.ToLower(p)
	}
	g = &glob{}
	for i := 0; i < len(p); {
		switch p[i] {
		case '\\':
			if i++; i == len(p) {
				return nil, false
			}
			g.add(token{kind: tokByte, char: p[i]})
			i++
		case '?':
			g.add(token{kind: tokAny})
			i++
		case '[':
			set, n, ok := parseClass(p[i:])
			if !ok {
				return nil, false
			}
			g.add(token{kind: tokClass, set: set})
			i += n
		case '*':
			i += g.addStars(p, i)
		default:
			g.add(token{kind: tokByte, char: p[i]})
			i++
		}
	}
	return g, true
}

func (g *glob) add(t token) { g.tokens = append(g.tokens, t) }

// addStars takes the stars at i: two between slashes or ends span folders.
func (g *glob) addStars(p string, i int) int {
	n := 1
	for i+n < len(p) && p[i+n] == '*' {
		n++
	}
	whole := n >= 2 && (i == 0 || p[i-1] == '/')
	switch {
	case whole && i+n == len(p):
		g.add(token{kind: tokAll})
	case whole && p[i+n] == '/':
		g.add(token{kind: tokDirs})
		g.add(token{kind: tokInDirs})
		n++
	default:
		g.add(token{kind: tokStar})
	}
	return n
}

// match says whether the whole of s fits.
func (g *glob) match(s string) bool {
	now, next := make([]bool, len(g.tokens)+1), make([]bool, len(g.tokens)+1)
	g.enter(now, 0)
	for i := range len(s) {
		clear(next)
		alive := false
		for state, on := range now {
			if on && state < len(g.tokens) && g.step(next, state, s[i]) {
				alive = true
			}
		}
		if !alive {
			return false
		}
		now, next = next, now
	}
	return now[len(g.tokens)]
}

// enter marks a state and those that are reached from it without a byte.
func (g *glob) enter(set []bool, state int) {
	for !set[state] {
		set[state] = true
		if state == len(g.tokens) {
			return
		}
		switch g.tokens[state].kind {
		case tokStar, tokAll:
			state++
		case tokDirs:
			state += 2
		default:
			return
		}
	}
}

// step goes on from a state with one byte, and says whether that is possible.
func (g *glob) step(set []bool, state int, c byte) bool {
	t := g.tokens[state]
	switch t.kind {
	case tokByte:
		if c != t.char {
			return false
		}
		g.enter(set, state+1)
	case tokAny:
		if c == '/' {
			return false
		}
		g.enter(set, state+1)
	case tokClass:
		if c == '/' || !t.set[c] {
			return false
		}
		g.enter(set, state+1)
	case tokStar:
		if c == '/' {
			return false
		}
		g.enter(set, state)
	case tokAll:
		g.enter(set, state)
	case tokDirs, tokInDirs:
		first := state
		if t.kind == tokInDirs {
			first--
		}
		if c == '/' {
			g.enter(set, first)
		} else {
			set[first+1] = true
		}
	}
	return true
}

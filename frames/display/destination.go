package display

import "unicode"

// destination reads what stands between the parentheses of a link.
type destination struct {
	state    uint8
	depth    int
	close    rune
	escape   bool
	from, to int
}

const (
	destStart uint8 = iota
	destAngle
	destBare
	destAfter
	destTitle
	destEnd
)

// take reads the rune at a position. More says that it can still become a
// destination, ok that the closing parenthesis was read.
func (d *destination) take(r rune, at int) (more, ok bool) {
	if r == '\n' {
		return false, false
	}
	if d.escape {
		d.escape = false
		return true, false
	}
	space := unicode.IsSpace(r)
	switch d.state {
	case destStart:
		d.from, d.to = at, at
		switch {
		case space:
			return true, false
		case r == '<':
			d.state, d.from = destAngle, at+1
			return true, false
		}
		d.state = destBare
		return d.bare(r, at)
	case destAngle:
		if r == '>' {
			d.state, d.to = destAfter, at
		}
		d.escape = r == '\\'
		return r != '<', false
	case destBare:
		return d.bare(r, at)
	case destAfter:
		return d.after(r, space)
	case destTitle:
		d.escape = r == '\\'
		if r == d.close {
			d.state = destEnd
		}
		return true, false
	}
	return space, r == ')'
}

// bare reads an address without angle brackets.
func (d *destination) bare(r rune, at int) (more, ok bool) {
	d.to = at
	switch {
	case unicode.IsSpace(r):
		d.state = destAfter
	case r == '\\':
		d.escape = true
	case r == '(':
		d.depth++
		return d.depth <= maxDepth, false
	case r == ')' && d.depth == 0:
		return true, true
	case r == ')':
		d.depth--
	}
	return true, false
}

// after reads what follows the address: the end, or a title.
func (d *destination) after(r rune, space bool) (more, ok bool) {
	switch r {
	case ')':
		return true, true
	case '"', '\'':
		d.state, d.close = destTitle, r
		return true, false
	case '(':
		d.state, d.close = destTitle, ')'
		return true, false
	}
	return space, false
}

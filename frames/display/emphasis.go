package display

import "unicode"

// delimited takes a rune in a run of emphasis marks.
func (in *inline) delimited(r rune) bool {
	if r == in.mark && in.run < maxRun {
		in.run++
		return true
	}
	in.state = inText
	in.delim(r)
	return false
}

// delim ends a run of marks before next: text if it can neither open nor close
// emphasis there.
func (in *inline) delim(next rune) {
	opens, closes := flanks(in.mark, in.left, next)
	if in.run >= maxRun || !opens && (!closes || len(in.nodes) == 0) {
		in.literal(in.mark, in.run)
		return
	}
	in.push(node{
		kind: delimNode, mark: in.mark, count: in.run, length: in.run,
		opens: opens, closes: closes, both: opens && closes, start: len(in.runes),
	})
	if closes {
		in.resolve(len(in.nodes) - 1)
		in.drain()
	}
}

// flanks tells what a run of marks between two runes can do, by the rules of
// CommonMark: an underscore inside a word does nothing.
func flanks(mark, before, after rune) (opens, closes bool) {
	spaceBefore, spaceAfter := before == 0 || unicode.IsSpace(before), unicode.IsSpace(after)
	punctBefore, punctAfter := punctuation(before), punctuation(after)
	left := !spaceAfter && (!punctAfter || spaceBefore || punctBefore)
	right := !spaceBefore && (!punctBefore || spaceAfter || punctAfter)
	if mark == '*' {
		return left, right
	}
	return left && (!right || punctBefore), right && (!left || punctAfter)
}

func punctuation(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }

// resolve pairs the runs of marks behind the last open bracket that close at node
// from or later. A pair is gone from the counts; what stands between its halves
// can pair no more.
func (in *inline) resolve(from int) {
	bottom := in.lastBracket() + 1
	for c := max(from, bottom); c < len(in.nodes); c++ {
		closer := &in.nodes[c]
		for closer.kind == delimNode && closer.closes && closer.count > 0 {
			o := in.opener(bottom, c)
			if o < 0 {
				if bottom == 0 {
					closer.closes = false
				}
				break
			}
			pair := 1
			if closer.count > 1 && in.nodes[o].count > 1 {
				pair = 2
			}
			closer.count -= pair
			in.nodes[o].count -= pair
			for i := o + 1; i < c; i++ {
				in.nodes[i].opens, in.nodes[i].closes = false, false
			}
		}
	}
}

// opener finds the run that node c closes, or -1.
func (in *inline) opener(bottom, c int) int {
	closer := &in.nodes[c]
	for o := c - 1; o >= bottom; o-- {
		n := &in.nodes[o]
		if n.kind != delimNode || n.mark != closer.mark || !n.opens || n.count == 0 {
			continue
		}
		if (n.both || closer.both) && (n.length+closer.length)%3 == 0 && (n.length%3 != 0 || closer.length%3 != 0) {
			continue
		}
		return o
	}
	return -1
}

package display

// nodeKind says what a node is.
type nodeKind uint8

const (
	textNode nodeKind = iota
	delimNode
	bracketNode
)

// node is a piece of a paragraph that is held back: text, a run of emphasis
// marks, or a bracket that may begin a link.
type node struct {
	kind          nodeKind
	mark          rune // * or _, or [ and ! of a link and an image
	count, length int  // marks that are left, and that there were
	opens, closes bool
	both          bool // it could do both when it was read
	start, end    int  // text of a text node or bracket
}

// live reports whether the node can still turn out to be markup.
func (n *node) live() bool {
	return n.kind == bracketNode || n.kind == delimNode && n.opens && n.count > 0
}

// text takes a rune that is text whatever follows.
func (in *inline) text(r rune) {
	if in.flat && r == '\n' {
		r = ' '
	}
	if len(in.nodes) == 0 {
		in.emit(r)
		return
	}
	if last := &in.nodes[len(in.nodes)-1]; last.kind != textNode {
		in.nodes = append(in.nodes, node{start: len(in.runes), end: len(in.runes)})
	}
	in.runes = append(in.runes, r)
	in.nodes[len(in.nodes)-1].end = len(in.runes)
	if len(in.runes) > maxHeld {
		in.force()
	}
}

// plain takes runes that are text.
func (in *inline) plain(runes []rune) {
	for _, r := range runes {
		in.text(r)
	}
}

// literal takes a run of marks that are text.
func (in *inline) literal(mark rune, count int) {
	for range count {
		in.text(mark)
	}
}

// force gives up on all open marks: they are text, and nothing waits.
func (in *inline) force() {
	for i := range in.nodes {
		if in.nodes[i].kind == bracketNode {
			in.nodes[i].kind = textNode
		}
	}
	in.resolve(0)
	for i := range in.nodes {
		in.nodes[i].opens = false
	}
	in.drain()
}

// drain sends the nodes out that come before the first one that is open.
func (in *inline) drain() {
	sent := 0
	for sent < len(in.nodes) && !in.nodes[sent].live() {
		n := &in.nodes[sent]
		for _, r := range in.runes[n.start:n.end] {
			in.emit(r)
		}
		for range n.count {
			in.emit(n.mark)
		}
		sent++
	}
	if sent == 0 {
		return
	}
	in.nodes = in.nodes[:copy(in.nodes, in.nodes[sent:])]
	if len(in.nodes) == 0 {
		in.runes = in.runes[:0]
		return
	}
	gone := in.nodes[0].start
	in.runes = in.runes[:copy(in.runes, in.runes[gone:])]
	for i := range in.nodes {
		in.nodes[i].start -= gone
		in.nodes[i].end -= gone
	}
}

// push adds a node that is no text; its text, if any, is in runes from start.
func (in *inline) push(n node) {
	n.end = len(in.runes)
	in.nodes = append(in.nodes, n)
	if len(in.nodes) > maxHeld {
		in.force()
	}
}

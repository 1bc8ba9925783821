package display

// bracket opens a link, or an image.
func (in *inline) bracket(mark rune) {
	start := len(in.runes)
	if mark == '!' {
		in.runes = append(in.runes, '!')
	}
	in.runes = append(in.runes, '[')
	in.push(node{kind: bracketNode, mark: mark, start: start})
}

// lastBracket finds the innermost open bracket, or -1.
func (in *inline) lastBracket() int {
	for i := len(in.nodes) - 1; i >= 0; i-- {
		if in.nodes[i].kind == bracketNode {
			return i
		}
	}
	return -1
}

// closed takes the rune after a ] that has a [. References such as [text][name]
// stay as typed, since a[i][j] looks the same and definitions come late.
func (in *inline) closed(r rune) bool {
	if r == '(' {
		in.state, in.dest = inDest, destination{}
		in.pend = append(in.pend, r)
		return true
	}
	in.state = inText
	in.noLink()
	return false
}

// noLink makes text of the innermost bracket and its ].
func (in *inline) noLink() {
	in.nodes[in.lastBracket()].kind = textNode
	in.text(']')
	in.resolve(0)
	in.drain()
}

// noAddress ends a link whose address is none: its text is read again.
func (in *inline) noAddress() {
	in.noLink()
	in.unread(']', in.pend)
}

// address takes a rune in a link's address.
func (in *inline) address(r rune) bool {
	in.pend = append(in.pend, r)
	switch more, ok := in.dest.take(r, len(in.pend)-1); {
	case ok:
		in.state = inText
		in.link(in.pend[in.dest.from:in.dest.to])
	case !more || len(in.pend) > maxAddress:
		in.state = inText
		in.noAddress()
	}
	return true
}

// link ends the innermost bracket as a link: its text stays, the address goes
// unless there is no text.
func (in *inline) link(address []rune) {
	at := in.lastBracket()
	if in.nodes[at].mark == '[' {
		for i := range at {
			if in.nodes[i].kind == bracketNode && in.nodes[i].mark == '[' {
				in.nodes[i].kind = textNode
			}
		}
	}
	empty := true
	for i := at + 1; i < len(in.nodes); i++ {
		n := &in.nodes[i]
		n.opens, n.closes = false, false
		empty = empty && n.start == n.end && n.count == 0
	}
	in.nodes[at].kind, in.nodes[at].end = textNode, in.nodes[at].start
	if empty {
		in.nodes = append(in.nodes[:at], node{start: len(in.runes), end: len(in.runes)})
		in.plain(address)
	}
	in.resolve(0)
	in.drain()
}

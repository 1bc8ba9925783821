package display

// ticks takes a rune in the backticks that open a code span.
func (in *inline) ticks(r rune) bool {
	if r == '`' && in.run < maxRun {
		in.run++
		return true
	}
	if in.run >= maxRun {
		in.state = inText
		in.literal('`', in.run)
		return false
	}
	in.state, in.tick = inCode, 0
	return in.code(r)
}

// code takes a rune in a code span, which ends at a run of as many backticks as
// opened it. A span without an end is text: its backticks show, and what follows
// them is read again for other marks.
func (in *inline) code(r rune) bool {
	if r == '`' {
		in.tick++
		in.pend = append(in.pend, r)
		return true
	}
	if in.tick == in.run {
		in.endCode()
		return false
	}
	in.tick = 0
	in.pend = append(in.pend, r)
	if len(in.pend) > maxHeld {
		in.endCode()
	}
	return true
}

// endCode ends the code span, here if its closing backticks were read.
func (in *inline) endCode() {
	in.state = inText
	if in.tick != in.run {
		in.literal('`', in.run)
		in.unread('`', in.pend)
		return
	}
	code := in.pend[:len(in.pend)-in.tick]
	blank := true
	for i, r := range code {
		if r == '\n' {
			code[i] = ' '
		}
		blank = blank && code[i] == ' '
	}
	if n := len(code); !blank && code[0] == ' ' && code[n-1] == ' ' {
		code = code[1 : n-1]
	}
	in.plain(code)
}

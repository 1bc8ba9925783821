package lease

// producer appends the next frame of a reply to dst; ok is false once there is
// none left, and nothing is appended then.
type producer func(dst []byte) (frame []byte, ok bool)

// reply is the answer to one request, in its place in the line.
type reply struct {
	frame []byte // a short reply, complete
	// begin runs in the lease's goroutine when the reply reaches the head of the
	// line, and sees to it that fill is called then or later. So one slow question
	// of a connection runs at a time, and what waits costs next to nothing.
	begin func(*reply)

	begun  bool
	filled bool
	gone   bool // the connection is gone: fill does nothing
	frames producer
	peeked []byte // the next frame of a long reply
	change bool   // it changes what a prompt runs in: prompts wait behind it
}

// fill gives the reply its frames; nil for none.
func (r *reply) fill(p producer) {
	if r.gone || r.filled {
		return
	}
	r.filled, r.frames = true, p
	r.peek()
}

func (r *reply) peek() {
	if r.frames == nil {
		r.peeked = nil
		return
	}
	frame, ok := r.frames(nil)
	if !ok {
		frame, r.frames = nil, nil
	}
	r.peeked = frame
}

// one is a producer of a single frame.
func one(frame []byte) producer {
	return func(dst []byte) ([]byte, bool) {
		if frame == nil {
			return dst, false
		}
		dst = append(dst, frame...)
		frame = nil
		return dst, true
	}
}

// replies is the line of replies of a connection.
type replies struct {
	line   []*reply
	shorts int
}

func (q *replies) add(r *reply) {
	q.line = append(q.line, r)
	if r.frame != nil {
		q.shorts++
	}
}

func (q *replies) head() *reply {
	if len(q.line) == 0 {
		return nil
	}
	return q.line[0]
}

// allShort says that nothing in the line is long or slow.
func (q *replies) allShort() bool { return q.shorts == len(q.line) }

// readyShort says that a short reply is at the head.
func (q *replies) readyShort() bool {
	r := q.head()
	return r != nil && r.frame != nil
}

// ready says that the head has a frame to send.
func (q *replies) ready() bool {
	r := q.head()
	return r != nil && (r.frame != nil || r.peeked != nil)
}

// pop appends the head's next frame, which there must be.
func (q *replies) pop(dst []byte) []byte {
	r := q.head()
	if r.frame != nil {
		q.shorts--
		q.next()
		return append(dst, r.frame...)
	}
	dst = append(dst, r.peeked...)
	r.peek()
	return dst
}

func (q *replies) next() {
	q.line[0] = nil
	q.line = q.line[1:]
}

// changing says that a reply in the line changes what a prompt runs in.
func (q *replies) changing() bool {
	for _, r := range q.line {
		if r.change {
			return true
		}
	}
	return false
}

// keepShort drops what is not a complete short reply.
func (q *replies) keepShort() {
	kept := q.line[:0]
	for _, r := range q.line {
		if r.frame != nil {
			kept = append(kept, r)
		} else {
			r.gone = true
		}
	}
	q.line = kept
}

func (q *replies) clear() {
	for _, r := range q.line {
		r.gone = true
	}
	*q = replies{}
}

func (q *replies) piledUp() bool {
	return q.shorts > maxShortReplies || len(q.line) > maxOpenRequests
}

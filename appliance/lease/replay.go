package lease

import "github.com/prompt64/prompt64/frames"

// wanted takes the writer of an attachment, which asks for a frame.
func (l *lease) wanted(a *Attachment, p *pull) {
	f := l.feed
	if f == nil || f.att != a {
		p.reply <- pulled{p.dst, ErrDetached}
		return
	}
	f.written()
	f.pull = p
}

// serve answers the waiting writer if there is anything to send. What goes out
// first is decided here and nowhere else: the opening and the replay, which
// nothing interrupts but the connection's last word, heartbeats that overtake,
// replies in the order of their requests, and the log from the cursor on; a long
// reply and the log take turns.
func (l *lease) serve() {
	f := l.feed
	if f == nil {
		return
	}
	l.beginReplies()
	if f.pull == nil {
		return
	}
	frame, err := l.choose(f, f.pull.dst)
	if err == nil && len(frame) == len(f.pull.dst) {
		return
	}
	p := f.pull
	f.pull = nil
	f.att.brake.moved()
	p.reply <- pulled{frame, err}
}

// choose appends the frame that goes out next; nothing if there is none.
func (l *lease) choose(f *feed, dst []byte) ([]byte, error) {
	switch {
	case f.opening != nil:
		dst = append(dst, f.opening...)
		f.opening = nil
	case f.replaying && f.final == nil:
		dst = l.fromLog(f, dst)
	case f.beats > 0:
		f.beats--
		dst = frames.HeartbeatAck{}.AppendTo(dst)
	case f.final != nil && !f.replies.readyShort():
		return f.chooseLast(dst)
	case f.replies.readyShort():
		dst = f.replies.pop(dst)
	case f.replies.ready() && !(f.logTurn && l.logReady(f)):
		dst = f.replies.pop(dst)
		f.logTurn = true
	case l.logReady(f):
		dst = l.fromLog(f, dst)
		f.logTurn = false
	}
	return dst, nil
}

func (f *feed) chooseLast(dst []byte) ([]byte, error) {
	if f.last == nil {
		f.ended = true
		return dst, f.final
	}
	dst = append(dst, f.last...)
	f.last = nil
	return dst, nil
}

// logReady says that the log has something for this connection.
func (l *lease) logReady(f *feed) bool {
	return f.cursor < l.log.end() || (f.replaying && f.cursor >= f.done)
}

// fromLog appends the frame at the cursor, or the ReconnectDone that stands
// behind the last frame of the replay.
func (l *lease) fromLog(f *feed, dst []byte) []byte {
	if f.replaying && f.cursor >= f.done {
		f.replaying = false
		return frames.ReconnectDone{}.AppendTo(dst)
	}
	seq := l.log.sequence(f.cursor)
	dst = append(dst, l.log.at(f.cursor)...)
	f.cursor++
	f.unwritten = true
	if p := l.line.pending; p != nil && p.seq == seq {
		f.seen.handed, f.seen.fresh = true, true
	}
	return dst
}

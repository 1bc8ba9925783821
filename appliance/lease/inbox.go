package lease

import "github.com/prompt64/prompt64/appliance/guarded"

// send hands m to the goroutine; false if it no longer listens.
func (l *lease) send(m message) bool {
	select {
	case l.inbox <- m:
		return true
	case <-l.stopped:
		return false
	}
}

// post runs f in the lease's goroutine; false if it no longer listens.
func (l *lease) post(f func()) bool { return l.send(message{do: f}) }

// beside runs f outside the lease's goroutine, which waits for it at its end. It is
// where the agent is called: a fault in it costs this lease, which waits for a word
// that does not come, and no other.
func (l *lease) beside(f func()) { guarded.In(&l.jobs, "beside "+l.name, f, l.broke) }

// receive takes one message.
func (l *lease) receive(m message) {
	switch {
	case m.do != nil:
		m.do()
	case m.info != nil:
		m.info <- l.describe()
	case m.look != nil:
		l.looked(m.look)
	case m.attach != nil:
		l.attach(m.att, *m.attach)
	case m.detach:
		if l.feed != nil && l.feed.att == m.att {
			l.slog.Info("lease detached", "active", l.turn != nil)
			l.endFeed(ErrDetached)
		}
	case m.pull != nil:
		l.wanted(m.att, m.pull)
	default:
		l.hear(m)
	}
}

// hear takes what a C64 said, if its connection is still the current one.
func (l *lease) hear(m message) {
	f := l.feed
	if f == nil || f.att != m.att || m.att.dead.Load() || f.final != nil {
		return
	}
	if m.fail != "" {
		l.slog.Info("framing fault", "words", m.fail)
		f.replies.keepShort()
		f.finish(errorFrame(nil, m.fail), ErrFault)
		return
	}
	l.request(m.req)
	if l.feed != nil && l.feed.replies.piledUp() || f.beats > maxShortReplies {
		l.slog.Warn("control replies pile up")
		f.replies.clear()
		f.opening, f.beats = nil, 0
		f.finish(nil, ErrPileUp)
		f.att.link.Kill()
	}
}

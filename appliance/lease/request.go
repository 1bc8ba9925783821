package lease

import "github.com/prompt64/prompt64/frames"

// request takes one well-formed request of the current attachment.
func (l *lease) request(req frames.Message) {
	switch m := req.(type) {
	case frames.Heartbeat:
		l.heartbeat()
	case frames.SessionRelease:
		l.release()
	case frames.UserText:
		l.userText(m.Text)
	case frames.TurnCancel:
		l.turnCancel()
	case frames.ApprovalDecision:
		l.decide(m)
	case frames.SettingsGet:
		l.answer(l.settingsState())
	case frames.SettingsSet:
		l.settingsSet(m)
	case frames.AccessSet:
		l.accessSet(m)
	case frames.WorkspaceSet:
		l.workspaceSet(string(m.Path))
	case frames.WorkspaceListGet:
		l.workspaceList(string(m.Path))
	case frames.SessionListGet:
		l.sessionList()
	case frames.SessionSelect:
		l.sessionSelect(m.Index)
	case frames.HistoryGet:
		l.history()
	case frames.DashboardGet:
		l.dashboard(m.Tab)
	case frames.ActionGet:
		l.actionGet(m.Index)
	case frames.DiffGet:
		l.diff(m.Index)
	case frames.ApprovalDetailGet:
		l.approvalDetail(m.Request)
	case refused:
		l.refuse(m.words)
	default:
		l.refuse("A LEASE IS HELD ALREADY") // Hello, Pair, LeaseGet, Reconnect
	}
}

// heartbeat is answered in its turn behind short replies, which are on their way
// anyhow, and overtakes those that are long or wait for something slow: a C64
// takes its line for dead after two seconds without an answer.
func (l *lease) heartbeat() {
	if l.feed.replies.allShort() {
		l.answer(frames.HeartbeatAck{})
		return
	}
	l.feed.beats++
}

// answer queues a short reply.
func (l *lease) answer(m frames.Message) {
	l.feed.replies.add(&reply{frame: m.AppendTo(nil)})
}

// refuse queues an Error; nothing changes.
func (l *lease) refuse(words string) {
	l.feed.replies.add(&reply{frame: errorFrame(nil, words)})
}

// later queues a reply that begin fills once it is at the head of the line.
func (l *lease) later(begin func(*reply)) *reply {
	r := &reply{begin: begin}
	l.feed.replies.add(r)
	return r
}

// beginReplies starts what is at the head of the line.
func (l *lease) beginReplies() {
	for l.feed != nil {
		r := l.feed.replies.head()
		if r == nil || r.frame != nil {
			return
		}
		if !r.begun {
			r.begun = true
			r.begin(r)
		}
		if l.feed == nil || !r.filled || r.peeked != nil {
			return
		}
		l.feed.replies.next()
	}
}

// ask runs question beside the lease, with the connection's context, and fills
// r with what it returns; an error becomes an Error frame behind prefix.
func (l *lease) ask(r *reply, prefix string, question func() (producer, error)) {
	l.beside(func() {
		p, err := question()
		if err != nil {
			l.slog.Info("request failed", "request", prefix, "err", err)
			p = one(errorFrame(nil, words(prefix, err)))
		}
		l.post(func() { r.fill(p) })
	})
}

// release gives the lease up: the token is invalid and the acknowledgement goes
// out at once, the provider is stopped after that.
func (l *lease) release() {
	l.table.release(l)
	l.slog.Info("lease released", "active", l.turn != nil)
	f := l.feed
	f.opening, f.beats, f.replaying = nil, 0, false
	f.replies.clear()
	l.log.drop(l.log.end())
	f.finish(frames.SessionRelease{}.AppendTo(nil), ErrReleased)
	l.serve()
	l.released = true
	l.linger.Reset(releaseTime)
	l.abandonTurn()
	l.leaveSession()
}

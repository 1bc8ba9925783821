package lease

import (
	"context"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// listed is what the C64 was shown last, which its indexes speak of. It stays as
// it was until it is asked for again.
type listed struct {
	sessions []provider.SessionInfo
	changes  *Snapshot // nil before the first CHANGES
}

// sessionList lists the workspace's sessions.
func (l *lease) sessionList() {
	l.later(func(r *reply) {
		folder, ctx := l.folder, l.feed.ctx
		l.beside(func() {
			ctx, cancel := context.WithTimeout(ctx, callTime)
			defer cancel()
			abs, err := l.absolute(folder)
			var list []provider.SessionInfo
			if err == nil {
				list, err = l.table.cfg.Provider.Sessions(ctx, abs)
			}
			l.post(func() { l.sessionsFound(r, list, err) })
		})
	})
}

func (l *lease) sessionsFound(r *reply, list []provider.SessionInfo, err error) {
	if r.gone {
		return
	}
	if err != nil {
		l.slog.Warn("session list failed", "err", err)
		r.fill(one(errorFrame(nil, words("SESSION LIST", err))))
		return
	}
	list = list[:min(len(list), frames.MaxSessions)]
	l.listed.sessions = list
	current, settings := l.agent.id, l.settings
	r.fill(rows(len(list), len(list), func(dst []byte, i, _ int) []byte {
		return frames.SessionEntry{
			Index:   uint8(i),
			Current: list[i].ID == current,
			Title:   head(list[i].Title, settings, frames.MaxEntryTitle),
		}.AppendTo(dst)
	}, func(dst []byte, count uint8) []byte {
		return frames.SessionListDone{Count: count}.AppendTo(dst)
	}))
}

// sessionSelect takes a listed session up, or begins a new one.
func (l *lease) sessionSelect(index uint8) {
	if l.turn != nil {
		l.refuse("SESSION: " + wordsTurnActive)
		return
	}
	l.later(func(r *reply) { r.fill(one(l.selectSession(index))) }).change = true
}

// selectSession returns the frame that answers.
func (l *lease) selectSession(index uint8) []byte {
	switch {
	case l.turn != nil:
		return errorFrame(nil, "SESSION: "+wordsTurnActive)
	case index == frames.SessionNew:
		l.forgetSession()
		l.said.add(Said{Kind: SaidPlace, Text: "a new session"})
		return frames.SessionState{Index: index}.AppendTo(nil)
	case int(index) >= len(l.listed.sessions):
		return errorFrame(nil, "NO SUCH SESSION, LIST THEM AGAIN")
	}
	chosen := l.listed.sessions[index]
	if chosen.ID != l.agent.id {
		closing, err := l.table.claim(l, chosen.ID)
		if err != nil {
			return errorFrame(nil, err.Error())
		}
		l.forgetSession()
		l.agent.id, l.agent.title = chosen.ID, chosen.Title
		l.said.add(Said{Kind: SaidPlace, Text: "the session " + chosen.Title})
		if closing != nil {
			l.agent.closing = append(l.agent.closing, closing)
		}
	}
	title := head(chosen.Title, l.settings, frames.MaxSessionTitle)
	return frames.SessionState{Index: index, Title: title}.AppendTo(nil)
}

package lease

import (
	"bytes"
	"context"
	"errors"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames/display"
)

// turn is the turn that runs. It ends in endTurn and nowhere else.
type turn struct {
	prompt   string
	settings Settings
	first    uint64 // position in the log of its first frame
	asked    bool   // the provider's Start returned: Cancel has something to cancel
	retried  bool   // the prompt was offered to a second session, the first was dead
	ending   bool   // the provider ended it: what is left to say is being logged
	stopping bool   // it was asked to stop, or the decision "cancel" does that
	failure  string // it ends as TurnFailed with these words, whatever the provider says
	again    again  // what the agent says a second time
}

const wordsDied = "The agent stopped unexpectedly. Your next prompt starts it again."

// userText takes a prompt, behind a change of the workspace or the session that
// has not happened yet.
func (l *lease) userText(text []byte) {
	if !l.feed.replies.changing() {
		if words := l.prompt(text); words != "" {
			l.refuse(words)
		}
		return
	}
	l.later(func(r *reply) {
		var p producer
		if words := l.prompt(text); words != "" {
			p = one(errorFrame(nil, words))
		}
		r.fill(p)
	})
}

// prompt begins a turn, or says why not.
func (l *lease) prompt(text []byte) (refusal string) {
	if l.turn != nil {
		return "PROMPT REFUSED: A TURN IS ACTIVE"
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return "PROMPT IS EMPTY"
	}
	l.dropTurn()
	l.line = line{}
	if l.feed != nil {
		l.feed.seen = sight{}
	}
	t := &turn{prompt: display.Unshape(text), settings: l.settings, first: l.log.end()}
	l.turn = t
	l.active.Store(true)
	l.out.begin(t.settings)
	l.said.add(Said{Kind: SaidPrompt, Text: t.prompt})
	l.slog.Info("turn begins", "bytes", len(text))
	l.offer(t)
	return ""
}

// offer brings the prompt to the provider, which is started if need be.
func (l *lease) offer(t *turn) {
	l.withSession(func(s provider.Session, err error) {
		switch {
		case l.turn != t:
		case t.stopping:
			l.endTurn(provider.EndEvent{End: provider.EndCancelled})
		case errors.Is(err, provider.ErrNoSession):
			l.forgetSession()
			l.endTurn(failed("The session no longer exists. The next prompt starts a new one."))
		case err != nil:
			l.endTurn(failed(startReason(err)))
		default:
			l.startTurn(t, s)
		}
	})
}

func (l *lease) startTurn(t *turn, s provider.Session) {
	opts := provider.TurnOptions{Access: t.settings.Access, Reasoning: t.settings.Reasoning}
	late, folder := l.agent.cancelling, l.folder
	l.beside(func() {
		if late != nil { // a Cancel of the turn before must not hit this one
			<-late
		}
		ctx, cancel := context.WithTimeout(l.ctx, callTime)
		defer cancel()
		_, err := l.place(folder)
		if err == nil {
			err = s.Start(ctx, t.prompt, opts)
		}
		l.post(func() { l.turnStarted(t, s, err) })
	})
}

// turnStarted takes the result of Start. The turn may be over by then.
func (l *lease) turnStarted(t *turn, s provider.Session, err error) {
	if l.turn != t {
		return
	}
	l.noteSession()
	switch {
	case err == nil && l.agent.session != s:
		l.endTurn(failed(wordsDied))
	case err == nil:
		t.asked = true
		if t.stopping {
			l.cancelProvider()
		}
	case t.stopping:
		l.endTurn(provider.EndEvent{End: provider.EndCancelled})
	case errors.Is(err, provider.ErrClosed) && !t.retried:
		t.retried = true
		if l.agent.session == s {
			l.lost()
		}
		l.offer(t)
	default:
		l.endTurn(failed("The agent did not take the prompt: " + reason(err)))
		l.leaveSession() // nobody knows what state it is in
	}
}

package lease

import (
	"context"
	"errors"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/workspace"
)

// agent is a lease's side of the provider: the session, if one is open, and what
// is needed to open it again.
type agent struct {
	session provider.Session
	events  <-chan provider.Event
	id      string // of the session; empty while it is new
	title   string
	usage   provider.UsageEvent

	opening    *opening // nil unless Open runs
	waiting    []func(provider.Session, error)
	closing    []<-chan struct{} // older sessions that have to be closed before
	cancelling <-chan struct{}   // the latest Cancel; closed when it returned

	failures  int           // deaths and failed starts in a row
	notBefore time.Duration // of the next start
	killer    *time.Timer   // of a turn that does not stop
}

// opening is one call of Open; a later one has another address.
type opening struct{ cancel context.CancelFunc }

// withSession calls f in the lease's goroutine with the open session, which is
// opened first if need be.
func (l *lease) withSession(f func(provider.Session, error)) {
	if l.agent.session != nil {
		f(l.agent.session, nil)
		return
	}
	l.agent.waiting = append(l.agent.waiting, f)
	if l.agent.opening == nil {
		l.open()
	}
}

func (l *lease) open() {
	ctx, cancel := context.WithTimeout(l.ctx, callTime)
	o := &opening{cancel}
	l.agent.opening = o
	closing, delay := l.agent.closing, l.agent.notBefore-l.table.now()
	folder := l.folder
	spec := provider.Spec{
		SessionID: l.agent.id,
		Access:    l.settings.Access,
		Reasoning: l.settings.Reasoning,
	}
	l.beside(func() {
		defer cancel()
		s, err := l.openAfter(ctx, closing, delay, folder, spec)
		if s != nil && !l.held.add(s) {
			l.closed(s.Close())
			return
		}
		if !l.post(func() { l.opened(o, s, err) }) && s != nil {
			l.closeSession(s)
		}
	})
}

func (l *lease) openAfter(ctx context.Context, closing []<-chan struct{}, delay time.Duration, folder workspace.Folder, spec provider.Spec) (provider.Session, error) {
	for _, c := range closing {
		select {
		case <-c:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if delay > 0 {
		t := time.NewTimer(delay)
		defer t.Stop()
		select {
		case <-t.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	var err error
	if spec.Workspace, err = l.place(folder); err != nil {
		return nil, err
	}
	return l.table.cfg.Provider.Open(ctx, spec)
}

// opened takes the result of Open.
func (l *lease) opened(o *opening, s provider.Session, err error) {
	if l.agent.opening != o {
		if s != nil {
			l.beside(func() { l.closeSession(s) })
		}
		return
	}
	l.agent.opening = nil
	waiting := l.agent.waiting
	l.agent.waiting = nil
	switch {
	case err == nil:
		l.agent.session, l.agent.events, l.agent.closing = s, s.Events(), nil
		l.noteSession()
	case !errors.Is(err, context.Canceled):
		l.slog.Warn("the agent did not start", "err", err)
		l.backOff()
	}
	for _, f := range waiting {
		f(s, err)
	}
}

// noteSession learns the session's name, which a new one gets late.
func (l *lease) noteSession() {
	s := l.agent.session
	if s == nil {
		return
	}
	l.agent.title = s.Title()
	id := s.ID()
	if id == "" || id == l.agent.id {
		return
	}
	l.agent.id = id
	if _, err := l.table.claim(l, id); err != nil {
		l.slog.Error("the provider gave a session that another lease holds", "session", id, "err", err)
	}
}

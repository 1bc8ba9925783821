package lease

import (
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
)

// lost notes that the agent died; the next use opens the session again.
func (l *lease) lost() {
	l.slog.Warn("the agent is gone", "session", l.agent.id)
	l.noteSession()
	l.leaveSession()
	l.backOff()
}

func (l *lease) backOff() {
	wait := min(backoffFirst<<min(l.agent.failures, 10), backoffLongest)
	l.agent.failures++
	l.agent.notBefore = l.table.now() + wait
}

// leaveSession closes the provider's session, or stops its opening; the lease
// keeps its name.
func (l *lease) leaveSession() {
	if o := l.agent.opening; o != nil {
		l.agent.opening = nil
		o.cancel()
	}
	waiting := l.agent.waiting
	l.agent.waiting = nil
	if s := l.agent.session; s != nil {
		l.agent.session, l.agent.events = nil, nil
		done := make(chan struct{})
		l.agent.closing = append(l.agent.closing, done)
		l.beside(func() {
			defer close(done)
			l.closeSession(s)
		})
	}
	for _, f := range waiting {
		f(nil, provider.ErrClosed)
	}
}

func (l *lease) closeSession(s provider.Session) {
	if l.held.take(s) {
		l.closed(s.Close())
	}
}

func (l *lease) closed(err error) {
	if err != nil {
		l.slog.Warn("session did not close well", "err", err)
	}
}

// forgetSession makes the next session a new one. The name of the old one is
// let go once it is closed.
func (l *lease) forgetSession() {
	l.leaveSession()
	if id := l.agent.id; id != "" {
		l.afterClosing(func() {
			if l.agent.id != id {
				l.table.unclaim(l, id)
			}
		})
	}
	l.agent.id, l.agent.title = "", ""
	l.agent.usage = provider.UsageEvent{}
	l.agent.failures, l.agent.notBefore = 0, 0
	l.activity = activities{}
}

// afterClosing runs f in the lease's goroutine when all that is being closed is
// closed, or given up.
func (l *lease) afterClosing(f func()) {
	closing := l.agent.closing
	l.beside(func() {
		t := time.NewTimer(closeTime)
		defer t.Stop()
		for _, c := range closing {
			select {
			case <-c:
			case <-t.C:
				l.post(f)
				return
			case <-l.stopped:
				return
			}
		}
		l.post(f)
	})
}

package lease

import (
	"context"
	"errors"

	"github.com/prompt64/prompt64/appliance/provider"
)

// turnCancel takes the C64's wish to end the turn. A repeat after a reconnect is
// fine as long as the turn runs.
func (l *lease) turnCancel() {
	if l.turn == nil {
		l.refuse("NO TURN TO CANCEL")
		return
	}
	l.stopTurn("")
}

// stopTurn asks the provider to stop, and kills it if it does not within
// stopTime. With failure the turn ends as TurnFailed with these words. Approvals
// are cancelled with it.
func (l *lease) stopTurn(failure string) {
	t := l.turn
	if failure != "" && t.failure == "" {
		t.failure = failure
	}
	l.line.settle()
	if t.stopping || t.ending {
		return
	}
	t.stopping = true
	l.agent.killer.Reset(stopTime)
	switch {
	case l.agent.opening != nil:
		l.agent.opening.cancel() // then the callback of offer ends the turn
	case t.asked:
		l.cancelProvider()
	}
}

func (l *lease) cancelProvider() {
	s := l.agent.session
	if s == nil {
		return
	}
	done := make(chan struct{})
	l.agent.cancelling = done
	l.beside(func() {
		defer close(done)
		ctx, cancel := context.WithTimeout(l.ctx, stopTime)
		defer cancel()
		if err := s.Cancel(ctx); err != nil && !errors.Is(err, provider.ErrNoTurn) {
			l.slog.Warn("cancel failed", "err", err)
		}
	})
}

// kill ends a provider that did not stop in time: its session is closed by
// force, and the turn ends when it is gone, or is given up. The next prompt opens
// the session anew.
func (l *lease) kill() {
	t := l.turn
	if t == nil || !t.stopping {
		return
	}
	l.slog.Warn("the agent does not stop: killing it")
	l.noteSession()
	l.leaveSession()
	l.afterClosing(func() {
		if l.turn == t {
			l.endTurn(provider.EndEvent{End: provider.EndCancelled})
		}
	})
}

// abandonTurn forgets the turn without a frame: the lease is released.
func (l *lease) abandonTurn() {
	if l.turn == nil {
		return
	}
	l.line.settle()
	l.out.stop()
	l.agent.killer.Stop()
	l.turn = nil
	l.active.Store(false)
}

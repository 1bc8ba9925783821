package acp

import (
	"fmt"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// quiet tells the user of an agent that says nothing. It never ends a turn: that
// is the user's to do.
type quiet struct {
	t     *turn
	limit time.Duration
	id    string // of the note that stands; empty if none does
}

// silence is how long nothing was heard. While the user is asked, it is the
// agent that waits.
func (q *quiet) silence() time.Duration {
	s := q.t.s
	s.mu.Lock()
	asking := len(s.pending) > 0
	s.mu.Unlock()
	if asking {
		s.touch()
	}
	return time.Since(s.begun) - time.Duration(s.heard.Load())
}

// next is when to look again.
func (q *quiet) next() time.Duration {
	if q.id != "" {
		return min(q.limit, time.Second)
	}
	return max(q.limit-q.silence(), time.Millisecond)
}

// look tells of a silence, or of its end.
func (q *quiet) look() {
	if q.silence() < q.limit {
		q.close()
		return
	}
	if q.id == "" {
		q.id = q.t.s.number("silence")
		q.t.push(q.note(frames.ActivityStarted))
	}
}

// close ends the note that stands.
func (q *quiet) close() {
	if q.id != "" {
		q.t.put(q.note(frames.ActivityCompleted))
		q.id = ""
	}
}

func (q *quiet) note(state frames.Lifecycle) provider.ActivityEvent {
	label := fmt.Sprintf("The agent is silent for %s", q.limit)
	if q.limit%time.Minute == 0 {
		label = fmt.Sprintf("The agent is silent for %d min", q.limit/time.Minute)
	}
	return provider.ActivityEvent{ID: q.id, Lifecycle: state, Label: label}
}

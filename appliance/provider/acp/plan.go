package acp

import (
	"fmt"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// maxPlan bounds the steps of a plan that are told.
const maxPlan = 64

// plan is the agent's plan: each step is an activity from its begin to its end. A
// step is known by its words, as agents send the whole plan each time.
type plan struct {
	steps []*step
}

type step struct {
	id    string // empty before it is told
	label string
	words string
	over  bool
}

// update takes the plan as it is now.
func (p *plan) update(s *session, entries []planEntry) []provider.Event {
	entries = entries[:min(len(entries), maxPlan)]
	var events []provider.Event
	for i, e := range entries {
		st := p.find(e.Content)
		if st == nil {
			break
		}
		begun := e.Status == "in_progress" || e.Status == "completed"
		if begun && st.id == "" {
			st.id = s.number("plan")
			st.label = foldLine(fmt.Sprintf("Plan %d/%d: %s", i+1, len(entries), e.Content))
			events = append(events, st.event(frames.ActivityStarted))
		}
		if e.Status == "completed" && !st.over {
			st.over = true
			events = append(events, st.event(frames.ActivityCompleted))
		}
	}
	return events
}

func (p *plan) find(words string) *step {
	for _, st := range p.steps {
		if st.words == words {
			return st
		}
	}
	if len(p.steps) >= 8*maxPlan {
		return nil // an agent that never says the same words twice
	}
	st := &step{words: words}
	p.steps = append(p.steps, st)
	return st
}

func (st *step) event(state frames.Lifecycle) provider.Event {
	return provider.ActivityEvent{ID: st.id, Lifecycle: state, Label: st.label}
}

// close ends the steps at work when the turn ends.
func (p *plan) close(done bool) []provider.Event {
	state := frames.ActivityFailed
	if done {
		state = frames.ActivityCompleted
	}
	var events []provider.Event
	for _, st := range p.steps {
		if st.id != "" && !st.over {
			st.over = true
			events = append(events, st.event(state))
		}
	}
	return events
}

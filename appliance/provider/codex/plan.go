package codex

import "fmt"

// planEvent is an update of the plan: all of it, each time.
type planEvent struct{ Plan []planStep }

type planStep struct{ Step, Status string }

// plan shows the plan's steps as activities: a step starts when it is worked on
// and ends when it is done. Steps are known by their words.
type plan struct {
	steps map[string]*openItem
	order []string
}

// planUpdated compares the plan with what was shown.
func (s *session) planUpdated(t *turn, steps []planStep) {
	p := &t.plan
	if p.steps == nil {
		p.steps = map[string]*openItem{}
	}
	for i, step := range steps {
		if step.Status == "pending" || step.Step == "" {
			continue
		}
		o := p.steps[step.Step]
		if o == nil {
			o = &openItem{label: oneLine(fmt.Sprintf("Step %d/%d: %s", i+1, len(steps), step.Step))}
			o.activity = s.startActivity(t, o.label)
			p.steps[step.Step] = o
			p.order = append(p.order, step.Step)
		}
		if step.Status == "completed" {
			s.endItem(t, o, true)
		}
	}
}

// closePlan ends the step at work. Models often leave the last one as it is, so
// it counts as done if the turn is.
func (s *session) closePlan(t *turn, done bool) {
	for _, step := range t.plan.order {
		s.endItem(t, t.plan.steps[step], done)
	}
}

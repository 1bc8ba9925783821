package checks

import (
	"context"
	"fmt"

	"github.com/prompt64/prompt64/appliance/agent/doctor"
	"github.com/prompt64/prompt64/appliance/health"
)

// Agent looks at the agent by what its own doctor finds: whether it is
// installed, starts, and somebody is signed in. name is for people.
func Agent(name func() string, examine func(context.Context) ([]doctor.Finding, error)) health.Probe {
	return probe(health.Agent, "Agent", func(ctx context.Context) health.Node {
		findings, err := examine(ctx)
		if err != nil {
			return unknown("%s: it cannot be examined: %v", name(), err)
		}
		return agentNode(name(), findings)
	}, health.Settings, health.Network, health.Clock)
}

// agentNode shows the worst of the findings; where all is well, who is signed in.
func agentNode(name string, findings []doctor.Finding) health.Node {
	for _, state := range []doctor.State{doctor.Missing, doctor.Warning} {
		for _, f := range findings {
			if f.State != state {
				continue
			}
			n := health.Node{State: health.Warn, Detail: fmt.Sprintf("%s: %s: %s", name, f.Check, f.Says), Hint: sentence(f.OnPages())}
			if f.Page != "" {
				n.Shell = sentence(f.Do)
			}
			if state == doctor.Missing {
				n.State = health.Fail
			}
			return n
		}
	}
	for _, f := range findings {
		if f.Check == "sign-in" {
			return ok("%s: %s", name, f.Says)
		}
	}
	return ok("%s is ready", name)
}

// sentence makes a hint of a doctor's advice, which begins in lower case.
func sentence(advice string) string {
	if advice == "" || advice[0] < 'a' || advice[0] > 'z' {
		return advice
	}
	return string(advice[0]-'a'+'A') + advice[1:]
}

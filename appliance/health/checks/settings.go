package checks

import (
	"context"
	"slices"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/health"
)

// Settings looks at the settings' state.
func Settings(state func() config.State) health.Probe {
	return probe(health.Settings, "Settings", func(context.Context) health.Node { return settings(state()) }, health.Data)
}

func settings(s config.State) health.Node {
	hint, problem := "Look at the settings on the pages, and save them again.", ""
	if len(s.Problems) > 0 {
		problem = s.Problems[0]
	}
	if slices.Contains(s.Card, problem) {
		hint = "Put the card into a computer, correct or remove that file on its first partition, and start again."
	}
	switch {
	case s.Source == config.Lost:
		hint = "Mend config.json in the data folder, or remove all files there whose names begin so, and start the bridge again."
		if s.Boot {
			hint = "Put a file prompt64.json or prompt64-reset on the boot partition, and start again."
		}
		return fail(hint, "%s", orElse(problem, "they are lost"))
	case s.Source == config.LastGood:
		return warn(hint, "%s", orElse(problem, "the last good ones are in use"))
	case problem != "":
		return warn(hint, "%s", problem)
	case s.Source == config.Fresh:
		return off("there are none yet: everything is as it is from the start")
	case s.Setup:
		return warn("Open the pages and choose a password.", "the pages have no password yet")
	}
	return ok("read, and good")
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

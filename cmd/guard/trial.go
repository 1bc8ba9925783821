package main

import (
	"context"
	"log"
	"time"

	"github.com/prompt64/prompt64/appliance/guardlog"
)

// trialTime is how long after the system's start a trial of an update must be
// committed.
const trialTime = 5 * time.Minute

// endTrial reboots out of the trial of an update that was not committed in time, or
// that does not do well: the former version starts then. Such a reboot is not
// counted and never put off. It reports whether this start is such a trial.
func (g *guard) endTrial(ctx context.Context, trouble error) bool {
	if g.committed || !g.sys.Trial() {
		return false
	}
	if trouble == nil && g.sys.Now().up < trialTime {
		return true
	}
	done, err := g.sys.Committed()
	if err != nil {
		log.Print(err) // as if it were not: a start too many does no harm
	}
	if done {
		g.committed = true
		return false
	}
	reason := "the new version was not found good within five minutes"
	if trouble != nil {
		reason = trouble.Error()
	}
	log.Printf("%s: %s", guardlog.EndedTrial, reason)
	if err := g.note(guardlog.EndedTrial, reason); err != nil {
		log.Print(err)
	}
	if err := g.sys.Reboot(ctx); err != nil && ctx.Err() == nil {
		log.Print("the reboot failed: ", err)
	}
	return true
}

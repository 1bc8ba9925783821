package main

import (
	"log"
	"time"

	"github.com/prompt64/prompt64/appliance/guardlog"
)

// startWork is what guard knows of a bridge that has to do something before it can
// answer, such as to make a file system on a slow card.
type startWork struct {
	work guardlog.Work // what it was at last
	at   time.Duration // uptime at which that went on
	told bool          // that guard waits
}

// starts tells whether the bridge may still be starting. It has a minute, and as long as
// it says that its work goes on it has until [guardlog.WorkTime] after the start of the
// system. In the trial of an update it has the minute alone: the former version does
// the work as well.
func (g *guard) starts() bool {
	up := g.sys.Now().up
	if work := g.sys.Work(); work != g.work {
		g.work, g.at = work, up
	}
	if up-g.since < g.grace {
		return true
	}
	if g.work.Beat == 0 || up-g.at >= still || up >= guardlog.WorkTime || g.sys.Trial() {
		return false
	}
	if !g.told {
		log.Printf("the bridge does not answer yet: %s; waiting", g.work.What)
		g.told = true
	}
	return true
}

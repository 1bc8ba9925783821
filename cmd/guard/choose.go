package main

import (
	"slices"
	"time"

	"github.com/prompt64/prompt64/appliance/guardlog"
)

// choose says what is to be done now.
func (g *guard) choose() guardlog.Action {
	now := g.now()
	recent := 1 // the one that is due
	for _, e := range g.log.Entries {
		if e.Boot == g.sys.Now().boot && e.Action != guardlog.Rebooted && now.Ran-e.Ran < restartsIn {
			recent++
		}
	}
	g.log.Reboots = slices.DeleteFunc(g.log.Reboots, func(r guardlog.Moment) bool { return dayOver(r, now) })
	switch {
	case recent < restarts:
		return guardlog.Restarted
	case len(g.log.Reboots) >= maxReboots:
		return guardlog.StayedUp
	}
	return guardlog.Rebooted
}

// dayOver says whether a reboot no longer counts: both clocks must say so. A wall
// clock that was set back since is no witness.
func dayOver(r, now guardlog.Moment) bool {
	byWall := now.Wall.Before(r.Wall) || now.Wall.Sub(r.Wall) >= rebootsIn
	return byWall && now.Ran-r.Ran >= rebootsIn
}

// now is the moment on the clocks of the log. After a start of the system it has
// run at least for as long as the log says, and since then.
func (g *guard) now() guardlog.Moment {
	m := g.sys.Now()
	ran := g.log.Ran + m.up
	if g.log.Boot == m.boot {
		ran -= g.log.Up
	}
	return guardlog.Moment{Wall: m.wall.Round(0), Ran: ran}
}

// decide chooses what is to be done and writes it down before it is. A reboot that
// cannot be counted is none: it might go on for ever.
func (g *guard) decide(reason string) (guardlog.Action, error) {
	action, before := g.choose(), g.log
	err := g.note(action, reason)
	if err == nil || action != guardlog.Rebooted {
		return action, err
	}
	g.log = before
	_ = g.note(guardlog.StayedUp, "the count of reboots cannot be kept; "+reason)
	return guardlog.StayedUp, err
}

func (g *guard) note(action guardlog.Action, reason string) error {
	now := g.now()
	g.log.Add(guardlog.Entry{Moment: now, Boot: g.sys.Now().boot, Action: action, Reason: reason})
	if action == guardlog.Rebooted {
		g.log.Reboots = append(slices.Clone(g.log.Reboots), now)
	}
	return g.save()
}

// keepTime writes once in a while how long the device has run.
func (g *guard) keepTime() {
	if g.now().Ran-g.log.Ran >= keepTimeAt {
		_ = g.save() // on a card that fails, its reason is in the log already
	}
}

func (g *guard) save() error {
	m, ran := g.sys.Now(), g.now().Ran
	g.log.Boot, g.log.Up, g.log.Ran = m.boot, m.up, ran.Truncate(time.Second)
	return g.sys.Save(g.log)
}

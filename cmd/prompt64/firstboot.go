package main

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"github.com/prompt64/prompt64/appliance/firstboot"
	"github.com/prompt64/prompt64/appliance/health/checks"
	"github.com/prompt64/prompt64/appliance/supervisor"
)

// permFolder is where a device's last partition is mounted. Nothing else is grown.
const permFolder = "/perm"

// clockOfProcess is looked at once in a process, also if the bridge starts anew in it:
// what was done to the clock at the first start is true at the second.
var clockOfProcess struct {
	once  sync.Once
	clock checks.Clock
}

// systemClock is the wall clock, which on a device was put forward to the build.
func (o serveOptions) systemClock(log *slog.Logger) checks.Clock {
	clockOfProcess.once.Do(func() {
		floored := false
		if o.device {
			floored = floorClock(firstboot.Machine{}, log)
		}
		clockOfProcess.clock = checks.SystemClock()
		clockOfProcess.clock.Floored = floored
	})
	return clockOfProcess.clock
}

func floorClock(c firstboot.Clock, log *slog.Logger) bool {
	floored, err := firstboot.Floor(c, firstboot.Built(version()))
	switch {
	case err != nil:
		log.Warn("the clock is not set, and could not be put forward", "err", err)
	case floored:
		log.Info("the clock is not set: until the network tells the time, it is that of the build", "time", c.Now())
	}
	return floored
}

// growPart makes the device's storage as large as its card, while it is in use. It
// has no deadline: nobody may write the partition table a second time while the
// first may still be at it.
func (a *app) growPart() supervisor.Part {
	part := supervisor.Part{Name: "grow"}
	card := a.options.machine.grows
	if card == nil {
		card = firstboot.Machine{}
	}
	if a.options.device {
		part.Service = supervisor.Func(func(ctx context.Context) error {
			supervisor.Pet(ctx) // a trap of the tests
			return grow(card, a.log)
		})
	}
	return part
}

// grow tries once: what does not work now may work at the next start.
func grow(s firstboot.System, log *slog.Logger) error {
	g, err := firstboot.Grow(s, permFolder)
	switch {
	case errors.Is(err, firstboot.ErrNoCard):
		log.Debug("there is nothing to grow", "reason", err)
	case err != nil:
		log.Error("the storage stays smaller than the card; the next start tries again", "err", err)
	case g.Changed():
		log.Info("the storage has grown to the card", "MB", g.After/1e6, "before", g.Before/1e6)
	}
	return supervisor.ErrDone
}

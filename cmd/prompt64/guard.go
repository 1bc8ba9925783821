package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/prompt64/prompt64/appliance/guardlog"
)

// guardNews is how long what the guard did is told.
const guardNews = 24 * time.Hour

// tellGuard says where this bridge is, on a device.
func (a *app) tellGuard() error {
	if !a.options.device {
		return nil
	}
	file := guardlog.PlacesFile()
	places := guardlog.Places{Bridge: guardlog.Dialable(a.c64s.address()), Pages: guardlog.Dialable(a.browsers.address())}
	if err := guardlog.WritePlaces(file, places); err != nil {
		a.trouble(err) // the guard looks at the usual places
		return nil
	}
	a.onClose(func(context.Context) error { return os.Remove(file) })
	return nil
}

// tellWork returns a function that tells the guard of a device that work goes on which
// has to be done before anything else. Where it cannot be told the guard is impatient.
func tellWork(what string) (goesOn func()) {
	w := guardlog.Work{What: what}
	return func() {
		w.Beat++
		_ = guardlog.WriteWork(guardlog.WorkFile(), w)
	}
}

// readGuard reads what the guard did last, once: a STATUS must not wait for a disk.
func (a *app) readGuard(now time.Time) {
	if !a.options.device {
		return
	}
	log, err := guardlog.Read(a.data.path)
	if err != nil {
		a.log.Warn("what the guard did is not known", "err", err)
	}
	// A clock that was set back since is no reason to be silent.
	if last, ok := log.Last(); ok && now.Sub(last.Wall) < guardNews {
		a.guard = fmt.Sprintf("%s (%s)", last.Reason, last.Action)
	}
}

package main

import (
	"context"
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

// guardDid is what the guard did last, if that is news at now.
func (a *app) guardDid(now time.Time) (guardlog.Entry, bool) {
	if !a.options.device {
		return guardlog.Entry{}, false
	}
	log, err := guardlog.Read(a.data.path)
	last, ok := log.Last()
	if err != nil || !ok || now.Sub(last.Wall) > guardNews {
		return guardlog.Entry{}, false
	}
	return last, true
}

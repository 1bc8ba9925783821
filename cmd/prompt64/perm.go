package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/prompt64/prompt64/appliance/firstboot"
)

// restartTime is how long a device that is to start again may take to end.
const restartTime = 3 * time.Minute

// revive makes a damaged /perm anew where the device's owner asks for that. It reports
// whether the device starts again, and returns when that ends this program. Where it
// fails the device goes on as it is, and the pages tell the damage.
func (o serveOptions) revive(ctx context.Context, log *slog.Logger) bool {
	if o.storage == nil {
		return false
	}
	restarting, err := firstboot.Revive(o.storage, o.boot, permFolder)
	if err != nil {
		log.Error("the data partition could not be made anew", "err", err)
	}
	if !restarting {
		return false
	}
	log.Warn("the data partition is being made anew, as its owner asks; the device starts again")
	select {
	case <-ctx.Done():
		return true
	case <-time.After(restartTime):
		log.Error("the device was to start again, and did not")
		return false
	}
}

// damage says in words what is wrong with the device's /perm now; empty: nothing is.
func (o serveOptions) damage() string {
	if o.storage == nil {
		return ""
	}
	return firstboot.Damage(o.storage, permFolder)
}

// erase makes a damaged /perm anew for an owner who is signed in; nil where there is
// none.
func (a *app) erase() func() error {
	if a.options.storage == nil {
		return nil
	}
	return func() error { return firstboot.Erase(a.options.storage, a.options.boot, permFolder) }
}

package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/prompt64/prompt64/appliance/health/checks"
	"github.com/prompt64/prompt64/appliance/provider"
)

// clockPatience is how long after the start whatever needs the time waits for it. A
// network that never tells the time shall not lock the owner out: the clock is that of
// the build at worst, which suffices for most certificates.
const clockPatience = 3 * time.Minute

// clockTrouble says in words that a device's clock is not set yet, so that nobody has
// to read a certificate's error. nil: it may be tried.
func (a *app) clockTrouble() error {
	if !a.options.device {
		return nil
	}
	return untimely(a.options.systemClock(a.log), a.log)
}

func untimely(c checks.Clock, log *slog.Logger) error {
	switch {
	case c.Set():
		return nil
	case c.Ran() > clockPatience && !c.Absurd():
		log.Warn("the clock is not set; it is tried with the time of the build")
		return nil
	}
	return &provider.Advice{Words: "The clock is not set yet: the time comes from the internet. Try again in a minute"}
}

// onTime is an agent that opens no session before the clock is set: what it would do
// first is to prove to its maker who it is. The demo needs no clock.
type onTime struct {
	provider.Provider
	trouble func() error
}

// Open implements provider.Provider.
func (o onTime) Open(ctx context.Context, spec provider.Spec) (provider.Session, error) {
	if o.Info().Name != "demo" {
		if err := o.trouble(); err != nil {
			return nil, err
		}
	}
	return o.Provider.Open(ctx, spec)
}

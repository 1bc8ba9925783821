package lease

import (
	"crypto/rand"
	"io"
	"log/slog"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// Config is what a Table needs. Provider and Workspaces are required.
type Config struct {
	Provider   provider.Provider
	Workspaces Workspaces
	Defaults   func() Settings // of a fresh lease; nil: DefaultSettings; returns at once
	// Status gives extra rows of the STATUS tab, "LABEL: value", to the C64 whose
	// Link has the given Addr. It may be nil, and returns at once.
	Status   func(addr string) []string
	Log      *slog.Logger  // nil: discarded
	Rand     io.Reader     // of tokens; nil: the system's secure source
	Lifetime time.Duration // of a detached lease; 0: the protocol's 120 s
	Stuck    time.Duration // after which Tend gives up a lease that does not turn; 0: stuckTime
}

func (c Config) withDefaults() Config {
	if c.Defaults == nil {
		c.Defaults = DefaultSettings
	}
	if c.Status == nil {
		c.Status = func(string) []string { return nil }
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Rand == nil {
		c.Rand = rand.Reader
	}
	if c.Lifetime <= 0 {
		c.Lifetime = frames.LeaseSeconds * time.Second
	}
	if c.Stuck <= 0 {
		c.Stuck = stuckTime
	}
	return c
}

package web

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/health"
	"github.com/prompt64/prompt64/appliance/update"
)

// State is what the pages say about the bridge.
type State struct {
	Provider string   // the agent, such as "demo 1.0"
	Attached int      // leases whose C64 is connected
	Detached int      // leases that wait for their C64
	Waiting  int      // connections without a lease
	Problems []string // what was wrong at the start, in words; not the settings'
}

// Program is what the C64's program is made for.
type Program struct {
	Host string // the address that it dials
	Code string // the pairing code in it; empty: none
	Baud int    // of the serial line that it uses; 0: the network
}

// Updates installs newer versions; an update.Updater does.
type Updates interface {
	State() update.State
	Receive(ctx context.Context, bundle io.Reader, size int64, consent update.Consent) error
	Revert(ctx context.Context) error
	RebootNow()
}

// Config is what the pages need. Settings, State and Program are required; a part
// that is nil is not on this machine, and its page says so.
type Config struct {
	Settings *config.Store
	State    func() State
	Program  func(Program) ([]byte, error)           // the PRG
	Port     uint16                                  // on which C64s are expected; shown
	Health   func() error                            // nil: always healthy
	Tree     func(ctx context.Context) health.Report // nil: not known
	Updates  Updates                                 // nil: this is no device
	Names    func() []string                         // further names of this machine; nil: none
	Log      *slog.Logger                            // nil: discarded
	Now      func() time.Time                        // nil: time.Now
}

func (c Config) withDefaults() Config {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

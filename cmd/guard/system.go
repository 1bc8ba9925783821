package main

import (
	"context"
	"time"

	"github.com/prompt64/prompt64/appliance/guardlog"
)

// system is the machine as far as guard looks at it, and everything that guard
// does to it.
type system interface {
	// Now tells the time.
	Now() moment
	// Bridge makes a round trip like a C64's.
	Bridge(ctx context.Context) error
	// Pages makes a round trip like a browser's.
	Pages(ctx context.Context) error
	// Work is what a bridge is at that does not answer yet.
	Work() guardlog.Work
	// Memory is how many bytes the bridge holds.
	Memory(ctx context.Context) (uint64, error)
	// Dump has the bridge's goroutines written into the data folder.
	Dump(ctx context.Context) error
	// Restart has the bridge started again.
	Restart(ctx context.Context) error
	// Reboot reboots the machine. It returns only if that failed.
	Reboot(ctx context.Context) error
	// Trial tells whether this start is the trial of an update.
	Trial() bool
	// Committed tells whether the update on trial is what every start brings.
	Committed() (bool, error)
	// Feed feeds the hardware watchdog until ctx is done, if init does not.
	Feed(ctx context.Context) error
	// Load reads the log, Save writes it durably.
	Load() (guardlog.Log, error)
	Save(guardlog.Log) error
}

// moment is a point in time.
type moment struct {
	wall time.Time
	boot string        // which start of the system
	up   time.Duration // since then, on the monotonic clock
}

package update

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/prompt64/prompt64/appliance/update/bundle"
)

// Config is what an Updater works with. System, Keys and Health are required.
type Config struct {
	System System
	// Keys are the public keys that are believed. What is wrong with some of them
	// is returned beside the others.
	Keys func() ([]bundle.Key, error)
	// Health tells why the services do not do well; a service that had to be
	// restarted since the start counts.
	Health func(context.Context) error
	// Busy says what a start would disturb, such as a turn; empty: nothing. Nil:
	// never.
	Busy func() string
	// WentBack says why guard ended the last trial, if it knows. Nil: it does not.
	WentBack func() string
	// Pet tells whoever watches over Serve that it gets on; it is called every few
	// seconds with Serve's context, or within the time that it returns. Nil: nobody
	// watches.
	Pet func(context.Context) time.Duration
	Log *slog.Logger // nil: discarded
}

// Updater runs updates. Its methods may be called from several goroutines.
type Updater struct {
	cfg Config
	sys System
	log *slog.Logger

	jobs chan func(context.Context) // what Serve is to do next
	now  chan struct{}              // the owner does not want to wait

	mu      sync.Mutex
	rec     record
	running string // the version
	ready   bool   // reconciled
	lost    bool   // the trial is not to be committed, whatever happens
	taken   bool   // an update is being received or written
	view    view
}

// view is what State tells beyond the record.
type view struct {
	phase       Phase  // of what is not worth a record
	to          string // the version it is about, once that is known
	done, total int64
	waits       string
	trouble     string
}

// Errors that callers tell apart.
var (
	// ErrBusy says that an update is under way.
	ErrBusy = errors.New("an update is under way; wait until it has ended")
	// ErrNotReady says that the updater does not run, or could not find out how
	// the last update ended.
	ErrNotReady = errors.New("updates are not possible at the moment; the log says why")
)

// New returns an updater that does nothing before Serve.
func New(cfg Config) *Updater {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Busy == nil {
		cfg.Busy = func() string { return "" }
	}
	if cfg.Pet == nil {
		cfg.Pet = func(context.Context) time.Duration { return petEvery }
	}
	if cfg.WentBack == nil {
		cfg.WentBack = func() string { return "" }
	}
	return &Updater{
		cfg: cfg, sys: cfg.System, log: cfg.Log,
		jobs: make(chan func(context.Context), 1),
		now:  make(chan struct{}, 1),
		rec:  record{Phase: Idle},
	}
}

// String names the service.
func (u *Updater) String() string { return "updates" }

// Serve makes the record, the boot files and what runs agree, and then carries
// updates through until ctx is done. An error means that the device's state could
// not be read; it is worth another try.
func (u *Updater) Serve(ctx context.Context) error {
	if !u.reconciled() { // once a process: it tells whether this one was there when the trial began
		if err := u.reconcile(); err != nil {
			u.show(func(v *view) { v.trouble = err.Error() })
			return fmt.Errorf("updates: %w", err)
		}
	}
	u.takeUp()
	for ctx.Err() == nil {
		switch u.phase() {
		case Armed:
			u.rebootWhenQuiet(ctx, "an update is to be tried")
		case Trial:
			u.watchTrial(ctx)
		case Committed:
			u.rebootWhenQuiet(ctx, "the update stays")
		default:
			u.idle(ctx)
		}
	}
	return ctx.Err()
}

// idle waits for a job and does it, or returns after a while.
func (u *Updater) idle(ctx context.Context) {
	t := time.NewTimer(min(u.cfg.Pet(ctx), petEvery))
	defer t.Stop()
	select {
	case job := <-u.jobs:
		job(ctx)
	case <-t.C:
	case <-ctx.Done():
	}
}

// takeUp ends an installation whose Serve ended in its middle while the process
// went on. What runs was not touched.
func (u *Updater) takeUp() {
	u.mu.Lock()
	phase, taken, to := u.rec.Phase, u.taken, u.rec.To
	u.mu.Unlock()
	if !taken && (phase == Write || phase == ReadBack) {
		u.end(Idle, Result{Outcome: Failed, Version: to.Version, Reason: "the installation was interrupted; send the update once more"})
	}
}

// RebootNow lets a start that waits for a turn to end wait no longer.
func (u *Updater) RebootNow() {
	select {
	case u.now <- struct{}{}:
	default:
	}
}

func (u *Updater) reconciled() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.ready
}

func (u *Updater) phase() Phase {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.rec.Phase
}

// save changes the record, on the disk first. On an error nothing has changed.
func (u *Updater) save(change func(*record)) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	next := u.rec
	change(&next)
	data, err := json.MarshalIndent(next, "", "\t")
	if err != nil {
		return err
	}
	if err := u.sys.SaveRecord(data); err != nil {
		return fmt.Errorf("save the record: %w", err)
	}
	if next.Phase != u.rec.Phase {
		u.log.Info("update", "phase", next.Phase, "version", next.To.Version)
	}
	u.rec = next
	return nil
}

// end records how an update ended. It goes on if the record cannot be saved: the
// next start finds out the same.
func (u *Updater) end(phase Phase, result Result, more ...func(*record)) {
	result.At = time.Now().UTC().Truncate(time.Second)
	u.log.Info("update ended", "outcome", result.Outcome, "version", result.Version, "reason", result.Reason)
	change := func(r *record) {
		r.Phase, r.Last, r.Trouble = phase, &result, ""
		for _, m := range more {
			m(r)
		}
	}
	if err := u.save(change); err != nil {
		u.log.Error("update: the result is not on the disk", "error", err)
		u.mu.Lock()
		change(&u.rec)
		u.mu.Unlock()
	}
}

func (u *Updater) show(change func(*view)) {
	u.mu.Lock()
	defer u.mu.Unlock()
	change(&u.view)
}

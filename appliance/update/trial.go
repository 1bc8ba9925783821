package update

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Times of a trial. Guard gives it TrialTime.
const (
	// SettleTime is how long the new version must have run before it is judged.
	SettleTime = time.Minute
	// TrialTime is how long a trial may last; guard starts the device again then.
	TrialTime = 5 * time.Minute

	judgeEvery  = 5 * time.Second
	judgeTime   = 20 * time.Second
	quietEvery  = time.Second
	rebootAgain = 10 * time.Second
	rebootTime  = 5 * time.Minute // after which a restart that does not come is asked for again
	petEvery    = 5 * time.Second
)

// watchTrial returns when the trial is committed or ctx is done. It does not end one
// that does no good, since that is for guard, but it writes down why.
func (u *Updater) watchTrial(ctx context.Context) {
	u.mu.Lock()
	lost := u.lost
	u.mu.Unlock()
	if lost {
		u.sleep(ctx, TrialTime)
		return
	}
	u.show(func(v *view) { v.waits = "a minute of good health" })
	wait := SettleTime
	for u.sleep(ctx, wait) {
		wait = judgeEvery
		err := u.judge(ctx)
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			if err = u.commit(); err == nil {
				return
			}
		}
		u.complain(err.Error())
	}
}

// judge tells why the new version is not worth keeping.
func (u *Updater) judge(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, judgeTime)
	defer cancel()
	device, err := u.sys.Device()
	if err != nil {
		return err
	}
	u.mu.Lock()
	to, before := u.rec.To, slices.Clone(u.rec.Network)
	u.mu.Unlock()
	if device.Version != to.Version {
		return fmt.Errorf("%s answers, %s should", device.Version, to.Version)
	}
	if !u.sys.ClockSet() {
		return errors.New("the clock is not set")
	}
	network, err := u.sys.Network()
	if err != nil {
		return err
	}
	for _, name := range before {
		if !slices.Contains(network, name) {
			return fmt.Errorf("the network %s has no address, and had one before", name)
		}
	}
	return u.cfg.Health(ctx)
}

// complain writes down why the trial is not committed, so that the version that
// comes back can tell.
func (u *Updater) complain(why string) {
	u.mu.Lock()
	same := u.rec.Trouble == why
	u.mu.Unlock()
	if same {
		return
	}
	u.log.Warn("update: the trial is not committed", "reason", why)
	if err := u.save(func(r *record) { r.Trouble = why }); err != nil {
		u.log.Error("update", "error", err)
	}
}

// commit makes the new version the one that starts.
func (u *Updater) commit() error {
	running, err := u.sys.Running()
	if err != nil {
		return err
	}
	if err := u.setBootFiles(running, false); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return u.save(func(r *record) { r.Phase, r.Trouble = Committed, "" })
}

// rebootWhenQuiet starts the device again once that disturbs nobody, or the owner
// does not want to wait.
func (u *Updater) rebootWhenQuiet(ctx context.Context, why string) {
	tick := time.NewTicker(quietEvery)
	defer tick.Stop()
	for {
		u.cfg.Pet(ctx)
		busy := u.cfg.Busy()
		u.show(func(v *view) { v.waits = busy })
		if busy == "" {
			break
		}
		select {
		case <-tick.C:
			continue
		case <-u.now:
		case <-ctx.Done():
			return
		}
		break
	}
	u.show(func(v *view) { v.waits = "" })
	for ctx.Err() == nil {
		err := u.sys.Reboot(why)
		if err == nil {
			u.sleep(ctx, rebootTime)
			continue
		}
		u.log.Error("update: the device does not start again", "error", err)
		u.show(func(v *view) {
			v.trouble = "the device does not start again by itself, pull its plug for a moment: " + err.Error()
		})
		u.sleep(ctx, rebootAgain)
	}
}

// sleep reports whether the time went by before ctx was done.
func (u *Updater) sleep(ctx context.Context, d time.Duration) bool {
	end := time.NewTimer(d)
	defer end.Stop()
	for {
		again := time.NewTimer(min(u.cfg.Pet(ctx), petEvery))
		select {
		case <-end.C:
			again.Stop()
			return true
		case <-again.C:
		case <-ctx.Done():
			again.Stop()
			return false
		}
	}
}

package update

import (
	"context"
	"errors"
	"fmt"
	"io"

	"golang.org/x/mod/semver"

	"github.com/prompt64/prompt64/appliance/update/bundle"
)

// Receive takes a bundle of at most size bytes and checks all of it. A nil error means that
// Serve goes on with it: the device will start again by itself. Otherwise nothing
// was written over any root, and the error says in words why.
func (u *Updater) Receive(ctx context.Context, r io.Reader, size int64, consent Consent) error {
	if err := u.begin(); err != nil {
		return err
	}
	u.show(func(v *view) { *v = view{phase: Verify, total: size} })
	from, to, err := u.accept(ctx, &meter{r: r, u: u}, size, consent)
	if err != nil {
		u.refuse(to.Version, err)
		return err
	}
	u.jobs <- func(ctx context.Context) {
		defer u.release()
		u.conclude(u.install(ctx, from, to), to)
	}
	return nil
}

// Revert goes back to the former version, which is tried as an update is. The error
// says in words why that cannot be.
func (u *Updater) Revert(context.Context) error {
	if err := u.begin(); err != nil {
		return err
	}
	u.mu.Lock()
	former, floor := u.rec.Former, u.rec.Floor
	u.mu.Unlock()
	from, err := u.runningRoot()
	switch {
	case err != nil:
	case former == nil:
		err = errors.New("the former version is not on the card any more")
	case semver.Compare(former.Version, floor) < 0:
		err = fmt.Errorf("the former version, %s, is older than %s, the oldest that this device still takes", former.Version, floor)
	}
	if err != nil {
		u.release()
		return err
	}
	to := *former
	// Reading the running root for its digest takes a card half a minute.
	u.show(func(v *view) { *v = view{phase: ReadBack, to: to.Version} })
	u.jobs <- func(ctx context.Context) {
		defer u.release()
		u.conclude(u.readBackAndArm(ctx, u.measured(ctx, from), to), to)
	}
	return nil
}

// begin claims the updater; release gives it back.
func (u *Updater) begin() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case !u.ready:
		return ErrNotReady
	case u.taken || u.rec.Phase.Under():
		return ErrBusy
	}
	u.taken = true
	return nil
}

func (u *Updater) release() {
	if err := u.sys.DropSpool(); err != nil {
		u.log.Warn("update: the bundle is still in the way", "error", err)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.taken, u.view = false, view{}
}

// accept stores the bundle and tells what it brings.
func (u *Updater) accept(ctx context.Context, r io.Reader, size int64, consent Consent) (from, to Root, err error) {
	if err := u.sys.Spool(r, size); err != nil {
		return from, to, err
	}
	spool, b, err := u.openBundle()
	if err != nil {
		return from, to, err
	}
	defer spool.Close()
	m := b.Manifest
	if from, err = u.runningRoot(); err != nil {
		return from, to, err
	}
	to = Root{Slot: from.Slot.Other(), Version: m.Version, Minimum: m.Minimum, Size: m.Root.Size, SHA256: m.Root.SHA256}
	device, err := u.sys.Device()
	if err != nil {
		return from, to, err
	}
	room, err := u.sys.SlotSize(to.Slot)
	if err != nil {
		return from, to, err
	}
	if err := check(m, device, u.floor(), room, consent); err != nil {
		return from, to, err
	}
	u.show(func(v *view) { v.done, v.total = 0, m.Root.Size })
	return from, to, b.Verify(ctx, u.done)
}

// openBundle opens the stored bundle.
func (u *Updater) openBundle() (Spool, *bundle.Bundle, error) {
	keys, keyErr := u.cfg.Keys()
	if keyErr != nil {
		u.log.Warn("update", "error", keyErr)
	}
	spool, err := u.sys.OpenSpool()
	if err != nil {
		return nil, nil, err
	}
	b, err := bundle.Open(spool, spool.Size(), keys)
	if err != nil {
		return nil, nil, errors.Join(err, spool.Close())
	}
	return spool, b, nil
}

// runningRoot describes what runs, as far as the version and the slot go.
func (u *Updater) runningRoot() (Root, error) {
	slot, err := u.sys.Running()
	if err != nil {
		return Root{}, err
	}
	device, err := u.sys.Device()
	return Root{Slot: slot, Version: device.Version, Minimum: device.Minimum}, err
}

func (u *Updater) floor() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.rec.Floor
}

// install writes the stored bundle into the free slot and arms the trial.
func (u *Updater) install(ctx context.Context, from, to Root) error {
	from = u.measured(ctx, from)
	err := u.save(func(r *record) {
		r.Phase, r.From, r.To, r.Former = Write, from, to, nil
	})
	if err != nil {
		return err
	}
	u.show(func(v *view) { *v = view{total: to.Size} })
	if err := u.write(ctx, to); err != nil {
		return fmt.Errorf("write the new version: %w", err)
	}
	return u.readBackAndArm(ctx, from, to)
}

func (u *Updater) write(ctx context.Context, to Root) (err error) {
	spool, b, err := u.openBundle()
	if err != nil {
		return err
	}
	defer spool.Close()
	if b.Manifest.Root.SHA256 != to.SHA256 || b.Manifest.Root.Size != to.Size {
		return bundle.ErrDamaged
	}
	slot, err := u.sys.WriteSlot(to.Slot)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, slot.Close()) }()
	if err := b.CopyRoot(ctx, io.MultiWriter(slot, &progress{u: u, ctx: ctx})); err != nil {
		return err
	}
	return slot.Sync()
}

// readBackAndArm makes sure that the slot holds what it should, and makes the next
// start the trial.
func (u *Updater) readBackAndArm(ctx context.Context, from, to Root) error {
	err := u.save(func(r *record) { r.Phase, r.From, r.To = ReadBack, from, to })
	if err != nil {
		return err
	}
	u.show(func(v *view) { *v = view{total: to.Size} })
	if err := u.compare(ctx, to); err != nil {
		return err
	}
	boot, err := u.sys.BootID()
	if err != nil {
		return err
	}
	network, err := u.sys.Network()
	if err != nil {
		return err
	}
	if err := u.save(func(r *record) { r.Phase, r.Boot, r.Network = Armed, boot, network }); err != nil {
		return err
	}
	if err := u.setBootFiles(from.Slot, true); err != nil {
		return errors.Join(fmt.Errorf("arm the trial: %w", err), u.setBootFiles(from.Slot, false))
	}
	return nil
}

// setBootFiles makes both boot files say the same.
func (u *Updater) setBootFiles(root Slot, try bool) error {
	files, err := u.sys.BootFiles()
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := u.sys.WriteBootFile(f.Name, root, try); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return nil
}

// conclude records how an installation failed, if it did. One that was stopped is
// left to the next start.
func (u *Updater) conclude(err error, to Root) {
	if err == nil || errors.Is(err, context.Canceled) {
		return
	}
	u.end(Idle, Result{Outcome: Failed, Version: to.Version, Reason: err.Error()})
}

// refuse records why nothing was installed.
func (u *Updater) refuse(version string, err error) {
	u.end(u.phase(), Result{Outcome: Refused, Version: version, Reason: err.Error()})
	u.release() // last: nobody is to see a refusal that left no result
}

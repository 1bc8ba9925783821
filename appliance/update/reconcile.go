package update

import "fmt"

// place is what a start finds.
type place struct {
	boot            string
	running, booted Slot
	version         string
	files           []BootFile
}

// trial reports whether this start is a trial.
func (p place) trial() bool { return p.running != p.booted }

// look finds out what runs.
func (u *Updater) look() (p place, err error) {
	if p.boot, err = u.sys.BootID(); err != nil {
		return p, err
	}
	if p.running, err = u.sys.Running(); err != nil {
		return p, err
	}
	if p.booted, err = u.sys.Booted(); err != nil {
		return p, err
	}
	if !p.running.Valid() || !p.booted.Valid() {
		return p, fmt.Errorf("the root file system is partition %d, the kernel was told %d", p.running, p.booted)
	}
	d, err := u.sys.Device()
	if err != nil {
		return p, err
	}
	p.version = d.Version
	p.files, err = u.sys.BootFiles()
	return p, err
}

// reconcile makes the record, the boot files and what runs agree. It can be
// interrupted anywhere and done again.
func (u *Updater) reconcile() error {
	data, err := u.sys.LoadRecord()
	if err != nil {
		return err
	}
	rec, err := parseRecord(data)
	if err != nil {
		u.log.Error("update: starting a new record", "error", err)
	}
	here, err := u.look()
	if err != nil {
		return err
	}
	u.mu.Lock()
	u.rec, u.view, u.running = rec, view{}, here.version
	u.mu.Unlock()
	if here.trial() {
		err = u.reconcileTrial(rec, here)
	} else {
		err = u.reconcileStart(rec, here)
	}
	if err != nil {
		return err
	}
	u.raiseOwnFloor()
	if !u.phase().Under() {
		if err := u.sys.DropSpool(); err != nil {
			u.log.Warn("update: the bundle is still in the way", "error", err)
		}
	}
	u.mu.Lock()
	u.ready = true
	u.mu.Unlock()
	return nil
}

// reconcileTrial goes on with a trial. Only one that the record expected can be
// committed, and only by the program that began it: one that had to be started
// again in its first minutes is no good.
func (u *Updater) reconcileTrial(rec record, here place) error {
	switch {
	case rec.Phase == Armed && rec.To.Slot == here.running:
		return u.save(func(r *record) { r.Phase, r.Boot = Trial, here.boot })
	case rec.Phase == Committed && rec.To.Slot == here.running:
		return u.setBootFiles(here.running, false) // again: it may have been cut
	case rec.Phase == Trial && rec.To.Slot == here.running:
		return u.giveUp("the bridge was started again during the trial")
	}
	u.loseTrial()
	return u.save(func(r *record) {
		r.Phase, r.Boot = Trial, here.boot
		r.From, r.To = Root{Slot: here.booted}, Root{Slot: here.running, Version: here.version}
		r.Trouble = "nobody asked for this trial; the former version comes back"
	})
}

// loseTrial rules out that the trial is committed.
func (u *Updater) loseTrial() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.lost = true
}

// giveUp ends a trial.
func (u *Updater) giveUp(why string) error {
	u.loseTrial()
	if err := u.save(func(r *record) { r.Trouble = why }); err != nil {
		return err
	}
	return u.sys.Reboot("the trial of an update failed: " + why)
}

// reconcileStart settles what an ordinary start finds.
func (u *Updater) reconcileStart(rec record, here place) error {
	if rec.Phase == Armed && rec.Boot == here.boot {
		return u.setBootFiles(here.running, true) // the program was started again, the device was not
	}
	for _, f := range here.files {
		if f.Root == here.booted && !f.Try && !f.Was {
			continue
		}
		if err := u.sys.WriteBootFile(f.Name, here.booted, false); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	switch rec.Phase {
	case Write, ReadBack:
		u.end(Idle, Result{Outcome: Failed, Version: rec.To.Version,
			Reason: "the device was started again before the new version was complete; send it once more"})
	case Armed, Trial, Committed:
		if here.running == rec.To.Slot {
			u.settle(rec)
			return nil
		}
		u.wentBack(rec)
	}
	return nil
}

// settle records that the new version was started as any other.
func (u *Updater) settle(rec record) {
	u.end(Settled, Result{Outcome: Installed, Version: rec.To.Version}, func(r *record) {
		r.raiseFloor(rec.To.Minimum)
		r.Former = nil
		if rec.From.SHA256 != "" {
			former := rec.From
			r.Former = &former
		}
	})
}

// wentBack records that the old version runs again. What was tried stays in its
// slot, but is no version to go back to.
func (u *Updater) wentBack(rec record) {
	reason := rec.Trouble
	if reason == "" {
		reason = u.cfg.WentBack()
	}
	switch {
	case reason != "":
	case rec.Phase == Armed:
		reason = "the new version did not start"
	default:
		reason = "the new version stopped before its trial was over"
	}
	u.end(RolledBack, Result{Outcome: WentBack, Version: rec.To.Version, Reason: reason},
		func(r *record) { r.Former = nil })
}

// raiseOwnFloor takes over what the running version rules out.
func (u *Updater) raiseOwnFloor() {
	device, err := u.sys.Device()
	if err != nil || u.phase().Under() {
		return
	}
	u.mu.Lock()
	before := u.rec.Floor
	u.mu.Unlock()
	after := record{Floor: before}
	if after.raiseFloor(device.Minimum); after.Floor == before {
		return
	}
	if err := u.save(func(r *record) { r.raiseFloor(device.Minimum) }); err != nil {
		u.log.Warn("update", "error", err)
	}
}

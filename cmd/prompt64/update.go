package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/prompt64/prompt64/appliance/guardlog"
	"github.com/prompt64/prompt64/appliance/health"
	"github.com/prompt64/prompt64/appliance/health/checks"
	"github.com/prompt64/prompt64/appliance/supervisor"
	"github.com/prompt64/prompt64/appliance/update"
	"github.com/prompt64/prompt64/appliance/update/bundle"
	"github.com/prompt64/prompt64/appliance/update/card"
)

// updatesDeadline is more than a card takes for a piece of a root, and for what it
// had in memory of it.
const updatesDeadline = 3 * time.Minute

// makeUpdates makes what updates the device; a machine that does not run from an
// image of ours has none.
func (a *app) makeUpdates() {
	if !a.options.device {
		return
	}
	dir := a.updatesFolder()
	card, err := a.openCard(dir)
	if err != nil {
		a.log.Info("this device cannot be updated over the network", "reason", err)
		return
	}
	a.updates = update.New(update.Config{
		System:   card,
		Keys:     func() ([]bundle.Key, error) { return updateKeys("/", dir) },
		Health:   a.trialHealth,
		Busy:     a.turnUnderWay,
		WentBack: a.whyTrialEnded,
		Pet:      supervisor.Pet,
		Log:      a.log.With("part", "update"),
	})
}

// updatesPart carries updates through.
func (a *app) updatesPart() supervisor.Part {
	if a.updates == nil {
		return supervisor.Part{Name: "updates"}
	}
	return supervisor.Part{Name: a.updates.String(), Deadline: updatesDeadline, Service: a.updates}
}

// updateKeys are the image's public keys and the owner's own.
func updateKeys(root, dir string) ([]bundle.Key, error) {
	image, imageErr := bundle.LoadKeys(os.DirFS(root), card.KeysFolder)
	own, ownErr := bundle.LoadKeys(os.DirFS(dir), card.OwnKeys)
	return append(image, own...), errors.Join(imageErr, ownErr)
}

// trialHealth tells why a version on trial is not worth keeping.
func (a *app) trialHealth(ctx context.Context) error {
	for _, s := range a.tree.States() {
		if s.Restarts > 0 || s.GivenUp {
			return fmt.Errorf("the part %s had to be started again: %s", s.Name, s.Trouble)
		}
	}
	bridge := health.New(checks.Bridge(func() string { return guardlog.Dialable(a.c64s.address()) })).Run(ctx)
	if n, bad := bridge.Trouble(); bad {
		return errors.New("the bridge: " + n.Detail)
	}
	return askPages(ctx, a.browsers.address())
}

// askPages makes a round trip like a browser's.
func askPages(ctx context.Context, addr net.Addr) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+guardlog.Dialable(addr)+"/healthz", nil)
	if err != nil {
		return fmt.Errorf("the pages: %w", err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("the pages: %w", err)
	}
	defer res.Body.Close()
	words, err := io.ReadAll(io.LimitReader(res.Body, 1<<10))
	if err != nil || res.StatusCode != http.StatusOK {
		return fmt.Errorf("the pages: %s: %s", res.Status, words)
	}
	return nil
}

// turnUnderWay says what a start of the device would disturb.
func (a *app) turnUnderWay() string {
	for _, l := range a.leases.Snapshot() {
		if l.Turn != "READY" {
			return "the turn of a C64 to end"
		}
	}
	return ""
}

// whyTrialEnded is what guard knows of the last trial.
func (a *app) whyTrialEnded() string {
	log, err := guardlog.Read(a.options.data)
	last, ok := log.Last()
	if err != nil || !ok || last.Action != guardlog.EndedTrial {
		return ""
	}
	return last.Reason
}

// updateStatus is a row of STATUS while there is something to tell of an update.
func (a *app) updateStatus() []string {
	if a.updates == nil {
		return nil
	}
	if words := a.updates.State().Status(); words != "" {
		return []string{"UPDATE: " + words}
	}
	return nil
}

package image

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/update"
	"github.com/prompt64/prompt64/appliance/update/push"
	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/image/nbd"
	"github.com/prompt64/prompt64/image/vm"
)

// needsLong skips what takes many minutes: image/README.md says how many, and
//
//	PROMPT64_LONG=1 go test -timeout 3h -parallel 4 ./image -run Update
//
// plays it.
func needsLong(t *testing.T) {
	t.Helper()
	if !long {
		t.Skip("PROMPT64_LONG=1 plays updates in virtual machines")
	}
}

// device is a machine that is updated.
type device struct {
	*vm.VM
	card string
}

// start starts a card, which keeps what is written to it.
func start(t *testing.T, card string, fault nbd.Fault, label string) device {
	t.Helper()
	console, err := os.CreateTemp(t.ArtifactDir(), "console-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { console.Close() }) // after the machine's end
	return device{card: card, VM: boot(t, vm.Config{
		Machine: vm.PC, Image: card, Ports: []int{pagesPort, bridgePort}, Fault: &fault, Label: label, CPUs: 1, Serial: console,
	})}
}

func (d device) options(t *testing.T, bundle string) push.Options {
	began := time.Now()
	return push.Options{
		Host: d.URL(pagesPort, ""), Password: password, Bundle: bundle,
		Note: func(words string) { t.Logf("%4.0f s  %s", time.Since(began).Seconds(), words) },
	}
}

// ready waits until the pages answer.
func (d device) ready(t *testing.T, ctx context.Context) {
	t.Helper()
	if err := d.WaitHTTP(ctx, pagesPort, "/healthz"); err != nil {
		t.Fatal(err)
	}
}

// rest waits until no update is under way, and returns how the device does.
func (d device) rest(t *testing.T, ctx context.Context) update.State {
	t.Helper()
	d.ready(t, ctx)
	s, err := push.Wait(ctx, d.options(t, ""))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// stop ends the machine, and looks at the card: it starts from the version, all of
// which is there. It returns the slot, and /perm as a file.
func (d device) stop(t *testing.T, version string) (slot int, perm string) {
	t.Helper()
	if err := d.Stop(); err != nil {
		t.Fatal(err)
	}
	slot = bootsFrom(t, d.card)
	if got, want := rootIn(t, d.card, slot), releaseOf(t, version).manifest.Root.SHA256; got != want {
		t.Errorf("partition %d does not hold %s but a root with the digest %s", slot, version, got)
	}
	return slot, checkPerm(t, d.card)
}

// What a C64 writes before an update, and where that is in /perm.
const (
	keptFile  = "kept.txt"
	keptWords = "written before the update"
	keptPath  = "/prompt64/workspaces/" + keptFile
)

// samplePath is a file that the device's first start makes.
const samplePath = "/prompt64/workspaces/welcome/README.md"

// One update after the other goes through both slots, by the way that scripts/update
// takes. The password that came with the owner's file on the boot partition lets us
// in each time, the file is gone, and the workspace is as it was.
func TestUpdatesGoThroughBothSlotsAndKeepPerm(t *testing.T) {
	needsLong(t)
	ctx := within(t, 2*patience)
	d := start(t, copyImage(t, releaseOf(t, oldVersion).image), nbd.Fault{After: -1}, "")
	writeKept(t, ctx, d)
	for _, version := range []string{newVersion, newerVersion} {
		if err := push.Run(ctx, d.options(t, releaseOf(t, version).bundle)); err != nil {
			t.Fatal(err)
		}
		if s := d.rest(t, ctx); s.Running != version || s.Phase != update.Settled {
			t.Errorf("after the update to %s: %+v", version, s)
		}
	}
	attach(t, ctx, d.VM)
	slot, perm := d.stop(t, newerVersion)
	if slot != slotA {
		t.Errorf("the second update is in partition %d", slot)
	}
	if got := rootIn(t, d.card, slotB); got != releaseOf(t, newVersion).manifest.Root.SHA256 {
		t.Error("the former version is not whole any more")
	}
	if got := permFile(t, perm, keptPath); got != keptWords+"\n" {
		t.Errorf("the file in the workspace has %q", got)
	}
}

// writeKept lets a C64 write a file.
func writeKept(t *testing.T, ctx context.Context, d device) {
	t.Helper()
	c := attach(t, ctx, d.VM)
	if err := c.Prompt(fmt.Sprintf("/write %s %s", keptFile, keptWords)); err != nil {
		t.Fatal(err)
	}
	a, err := c.WaitApproval(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Decide(a, frames.AcceptOnce); err != nil {
		t.Fatal(err)
	}
	if _, err := c.WaitEnd(ctx); err != nil {
		t.Fatal(err)
	}
}

package image

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/update"
	"github.com/prompt64/prompt64/appliance/update/push"
	"github.com/prompt64/prompt64/image/nbd"
)

// cutSeed makes the table of cuts, and what is lost with each.
const cutSeed = 64

// powerCut is a moment of an update at which the power fails: when that many bytes
// were written in a partition since the push told of a phase (empty: since it began).
type powerCut struct {
	phase  update.Phase
	part   int
	after  int64
	policy nbd.Policy
}

func (c powerCut) String() string {
	where := map[int]string{bootPart: "boot", slotB: "root", permPart: "perm"}[c.part]
	since := "the start"
	if c.phase != "" {
		since = string(c.phase)
	}
	return fmt.Sprintf("%d bytes of %s after %s", c.after, where, since)
}

// powerCuts are sixty moments: while the bundle arrives, while the root is written,
// at the boot files (which arm the trial, begin and commit it), and at the record in
// /perm between them.
func powerCuts(sizeOfBundle, sizeOfRoot, sizeOfBoot int64) (cuts []powerCut) {
	spread := func(n int, phase update.Phase, part int, total int64) {
		for i := range n {
			cuts = append(cuts, powerCut{phase, part, total * int64(2*i+1) / int64(2*n), nbd.Policy(i % 3)})
		}
	}
	spread(12, "", permPart, sizeOfBundle)
	spread(12, update.Write, slotB, sizeOfRoot)
	spread(24, "", bootPart, sizeOfBoot)
	r := rand.New(rand.NewPCG(cutSeed, 0))
	for i, phase := range []update.Phase{update.Write, update.ReadBack, update.Trial} {
		for j := range 4 {
			cuts = append(cuts, powerCut{phase, permPart, r.Int64N(32 << 10), nbd.Policy((i + j) % 3)})
		}
	}
	return cuts
}

// The power goes at any moment of an update, and of what was not flushed anything
// may be lost. The next start is all of one version, and without hands the device
// comes to rest with one version that is whole, and says which.
func TestPowerCutInAnUpdateLeavesOneWholeVersion(t *testing.T) {
	needsLong(t)
	card := deviceInUse(t)
	bundle := releaseOf(t, newVersion)
	cuts := powerCuts(sizeOf(t, bundle.bundle), bundle.manifest.Root.Size, bootBytes(t, card))
	for i, c := range cuts {
		t.Run(fmt.Sprintf("%02d %s", i, c), func(t *testing.T) {
			t.Parallel()
			cutUpdate(t, copyImage(t, card), c, uint64(i))
		})
	}
}

// deviceInUse is the card of a device that its owner has set up.
func deviceInUse(t *testing.T) string {
	t.Helper()
	ctx := within(t, patience)
	d := start(t, copyImage(t, releaseOf(t, oldVersion).image), nbd.Fault{After: -1}, "")
	d.ready(t, ctx)
	writeKept(t, ctx, d)
	if err := d.Stop(); err != nil {
		t.Fatal(err)
	}
	return d.card
}

// bootBytes is how many bytes an update writes on the boot partition.
func bootBytes(t *testing.T, card string) int64 {
	t.Helper()
	ctx := within(t, 2*patience)
	d := start(t, copyImage(t, card), nbd.Fault{After: -1}, "")
	d.ready(t, ctx)
	d.Disk().FailAfter(parts(t, card)[bootPart], math.MaxInt64)
	o := d.options(t, releaseOf(t, newVersion).bundle)
	note := o.Note
	o.Note = func(words string) {
		note(fmt.Sprintf("%s (%d bytes on the boot partition)", words, d.Disk().Counted()))
	}
	if err := push.Run(ctx, o); err != nil {
		t.Fatal(err)
	}
	n := d.Disk().Counted()
	d.stop(t, newVersion)
	if n == 0 {
		t.Fatal("nothing was written on the boot partition")
	}
	return n
}

// cutUpdate updates a device until its power fails, and looks at what becomes of it.
func cutUpdate(t *testing.T, card string, c powerCut, seed uint64) {
	t.Helper()
	d := start(t, card, nbd.Fault{After: -1, Policy: c.policy, Seed: seed}, "")
	ctx := within(t, 3*patience)
	d.ready(t, ctx)
	part := parts(t, card)[c.part]
	if c.phase == "" {
		d.Disk().FailAfter(part, c.after)
	}
	pushing, over := context.WithCancel(ctx)
	defer over()
	go func() {
		defer over()
		select {
		case <-d.Exited():
		case <-pushing.Done():
		}
	}()
	o := d.options(t, releaseOf(t, newVersion).bundle)
	note := o.Note
	armed := c.phase == ""
	o.Note = func(words string) {
		note(words)
		if !armed && strings.HasPrefix(words, string(c.phase)) {
			armed = true
			d.Disk().FailAfter(part, c.after)
		}
	}
	err := push.Run(pushing, o)
	select {
	case <-d.Exited():
	case <-time.After(time.Second):
		t.Fatalf("the power did not fail; the push ended with %v", err)
	}
	if err := d.Stop(); err != nil {
		t.Fatal(err)
	}
	comesToRest(t, card)
}

// comesToRest starts a card whose power failed in an update.
func comesToRest(t *testing.T, card string) {
	t.Helper()
	ctx := within(t, 2*patience)
	d := start(t, card, nbd.Fault{After: -1}, "")
	s := d.rest(t, ctx)
	t.Logf("it runs %s, %s, and says %+v", s.Running, s.Phase, s.Last)
	if !slices.Contains([]string{oldVersion, newVersion}, s.Running) {
		t.Fatalf("%s runs", s.Running)
	}
	if s.Last != nil && (s.Last.Outcome == update.Installed) != (s.Running == newVersion) || s.Last == nil && s.Running == newVersion {
		t.Errorf("it runs %s and says %+v", s.Running, s.Last)
	}
	attach(t, ctx, d.VM) // the settings are there
	_, perm := d.stop(t, s.Running)
	if got := permFile(t, perm, keptPath); got != keptWords+"\n" {
		t.Errorf("the file in the workspace has %q", got)
	}
}

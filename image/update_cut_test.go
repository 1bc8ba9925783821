package image

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/prompt64/prompt64/appliance/update"
	"github.com/prompt64/prompt64/image/nbd"
)

// No power failure in an update leaves a mixture: whatever the card lost of what was
// not flushed, what the boot files name is all of one version. One update is played
// and recorded; the failures, some ten thousand, are made of the record.
func TestNoPowerCutInAnUpdateLeavesAMixture(t *testing.T) {
	needsLong(t)
	r := recordedUpdate(t)
	onlyBootFilesChange(t, r)
	judge := func(log *nbd.Log) ([]error, int) {
		return mixtures(newChoice(t, r.card, r.parts, oldVersion, newVersion), newChoice(t, r.card, r.parts, oldVersion, newVersion), log)
	}
	faults, looked := judge(r.Log)
	t.Logf("%d power failures", looked)
	for _, err := range faults[:min(len(faults), 10)] {
		t.Error(err)
	}
	// The same update without the flushes between the root and the boot files.
	faults, _ = judge(unflushed(r.Log, r.begins(t, update.Write), r.begins(t, update.Trial)))
	if len(faults) == 0 {
		t.Error("that the root was not flushed before the trial was armed was not seen")
	}
}

// unflushed is a log without the flushes of some of its steps.
func unflushed(l *nbd.Log, from, to int) *nbd.Log {
	var out nbd.Log
	for i, s := range l.Steps {
		if !s.Flush || i < from || i >= to {
			out.Steps = append(out.Steps, s)
		}
	}
	return &out
}

// onlyBootFilesChange makes sure that of the boot partition nothing else changes
// than the boot files, the times of files, and the mark that it is mounted: then no
// mixture of old and new sectors there does harm.
func onlyBootFilesChange(t *testing.T, r recorded) {
	t.Helper()
	part := r.parts[bootPart]
	before, files := content(t, r.card, part), bootFiles(t, r.card, part)
	writes := 0
	for i, s := range r.Log.Steps {
		for n, b := range s.Data {
			at := s.At + int64(n)
			if at < part.From || at >= part.To {
				break
			}
			if b == before[at-part.From] || slices.Contains(files[:], at/sectorSize*sectorSize) {
				continue
			}
			if !harmless(at-part.From, before[at-part.From], b) {
				t.Fatalf("step %d changes byte %d of the boot partition from %#x to %#x", i, at-part.From, before[at-part.From], b)
			}
		}
		if part.From <= s.At && s.At < part.To && len(s.Data) > 0 {
			writes++
		}
	}
	t.Logf("the boot partition is written to %d times", writes)
	if writes == 0 {
		t.Error("the update did not touch the boot partition")
	}
}

// harmless tells whether a byte of the boot partition may change, by the layout of
// FAT16: the mark in the boot sector that it is mounted, and in a folder's entry the
// mark that a file was changed, and its times.
func harmless(at int64, from, to byte) bool {
	const mounted, entry, attributes, archive = 37, 32, 11, 0x20
	switch in := at % entry; {
	case at == mounted:
		return true
	case in == attributes:
		return from|archive == to
	default:
		return in >= 13 && in <= 25 && in != 20 && in != 21
	}
}

// cutsIn says where in an update the power fails: so many times, spread evenly over
// what is written to a partition from one recorded phase to before another.
type cutsIn struct {
	n        int
	part     int
	from, to update.Phase // from "": the bundle is sent; to "": the end
}

// cutPlan are sixty moments: while the bundle arrives, while the root is written, at
// the boot files, which arm the trial, begin and commit it, and at the record in
// /perm between them.
var cutPlan = []cutsIn{
	{10, permPart, "", update.Write},
	{12, slotB, update.Write, update.ReadBack},
	{3, permPart, update.Write, update.ReadBack},
	{3, permPart, update.ReadBack, update.Armed},
	{12, bootPart, update.Armed, update.Trial},
	{3, permPart, update.Armed, update.Trial},
	{9, bootPart, update.Trial, update.Committed},
	{3, permPart, update.Trial, update.Committed},
	{5, permPart, update.Committed, ""},
}

// powerCut is a power failure in a recorded update.
type powerCut struct {
	nbd.Moment
	nbd.Fault
	name string
}

// powerCuts are the moments of the plan, each of which leaves another card.
func powerCuts(t *testing.T, r recorded) (cuts []powerCut) {
	t.Helper()
	seen := map[string]bool{}
	for _, in := range cutPlan {
		from, to := r.begins(t, in.from), len(r.Log.Steps)
		if in.to != "" {
			to = r.begins(t, in.to)
		}
		part := r.parts[in.part]
		total := r.Log.Written(from, to, part)
		for i := range in.n {
			m := r.Log.After(from, part, total*int64(2*i+1)/int64(2*in.n))
			c, ok := powerCut{Moment: m}, false
			for try := 0; try < 6 && !ok; try++ {
				c.Fault = nbd.Fault{Policy: nbd.Policy((len(cuts) + try) % 3), Seed: uint64(len(cuts) + 100*try)}
				print := r.print(c.Moment, c.Fault)
				ok, seen[print] = !seen[print], true
			}
			if !ok {
				t.Fatalf("at %+v no power failure leaves a new card", m)
			}
			where := map[int]string{bootPart: "the boot files", slotB: "the root", permPart: "perm"}[in.part]
			policy := []string{"all", "none", "any"}[c.Policy]
			c.name = fmt.Sprintf("%02d after %s at step %d byte %d in %s with %s of the rest", len(cuts), cmp.Or(in.from, update.Verify), m.Steps, m.Bytes, where, policy)
			cuts = append(cuts, c)
		}
	}
	return cuts
}

// The power goes at any moment of an update, and of what was not flushed anything
// may be lost. The next start is all of one version, and without hands the device
// comes to rest with one version that is whole, and says which.
func TestPowerCutInAnUpdateLeavesOneWholeVersion(t *testing.T) {
	needsLong(t)
	r := recordedUpdate(t)
	for _, c := range powerCuts(t, r) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			comesToRest(t, r.replay(t, c.Moment, c.Fault))
		})
	}
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

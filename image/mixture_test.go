package image

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/prompt64/prompt64/image/fat"
	"github.com/prompt64/prompt64/image/nbd"
)

// sectorSize is what a card writes whole.
const sectorSize = 512

// region is a piece of a card.
type region struct {
	at  int64
	now []byte
}

// overlap is where a write and the region meet, in the region and in the write.
func (r region) overlap(s nbd.Step) (now, data []byte, at int64) {
	from, to := max(r.at, s.At), min(r.at+int64(len(r.now)), s.At+int64(len(s.Data)))
	if from >= to {
		return nil, nil, 0
	}
	return r.now[from-r.at : to-r.at], s.Data[from-s.At : to-s.At], from - r.at
}

// slot is where a root may lie, and how many of its sectors are not those of the
// old version and of the new one.
type slot struct {
	region
	want  [2][]byte
	wrong [2]int
}

func (s *slot) whole() bool { return s.wrong[0] == 0 || s.wrong[1] == 0 }

// count adds the sectors that differ, of those that the bytes from..to touch.
func (s *slot) count(from, to int64, sign int) {
	for v, want := range s.want {
		for at := from / sectorSize * sectorSize; at < to && at < int64(len(want)); at += sectorSize {
			end := min(at+sectorSize, int64(len(want)))
			if !bytes.Equal(s.now[at:end], want[at:end]) {
				s.wrong[v] += sign
			}
		}
	}
}

// choice is what of a card decides which version starts: the boot files, and the
// slots that they name.
type choice struct {
	names []string
	files []*region // the first is cmdline.txt, where gokrazy's init looks for the flag
	slots map[int]*slot
}

// newChoice reads a card. The boot files are one sector each, and stay where they are.
func newChoice(t *testing.T, card string, parts map[int]nbd.Part, versions ...string) *choice {
	t.Helper()
	c := &choice{names: []string{"cmdline.txt", "gokrazy.conf"}, slots: map[int]*slot{}}
	for _, at := range bootFiles(t, card, parts[bootPart]) {
		c.files = append(c.files, &region{at, content(t, card, nbd.Part{From: at, To: at + sectorSize})})
	}
	for _, n := range []int{slotA, slotB} {
		s := &slot{}
		var size int64
		for i, v := range versions {
			s.want[i] = root(t, releaseOf(t, v))
			size = max(size, int64(len(s.want[i])))
		}
		s.region = region{parts[n].From, content(t, card, nbd.Part{From: parts[n].From, To: parts[n].From + size})}
		s.count(0, size, 1)
		c.slots[n] = s
	}
	return c
}

// bootFiles is where the boot files are on a card, cmdline.txt first.
func bootFiles(t *testing.T, card string, part nbd.Part) [2]int64 {
	t.Helper()
	f, err := os.Open(card)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	v, err := fat.Open(f, part.From)
	if err != nil {
		t.Fatal(err)
	}
	first, err := v.Sector("CMDLINE.TXT")
	if err != nil {
		t.Fatal(err)
	}
	files := [2]int64{first * sectorSize}
	for _, m := range rootNamed.FindAllIndex(content(t, card, part), -1) {
		if at := (part.From + int64(m[0])) / sectorSize * sectorSize; at != files[0] {
			files[1] = at
		}
	}
	if files[1] == 0 {
		t.Fatal("there is no second boot file")
	}
	return files
}

// touches tells whether a write changes something here.
func (c *choice) touches(s nbd.Step) bool {
	for _, r := range c.regions() {
		if now, _, _ := r.overlap(s); now != nil {
			return true
		}
	}
	return false
}

func (c *choice) regions() []region {
	return []region{*c.files[0], *c.files[1], c.slots[slotA].region, c.slots[slotB].region}
}

// write does a step, and returns the one that takes it back.
func (c *choice) write(s nbd.Step) (undo func()) {
	var back []nbd.Step
	for _, r := range c.regions() {
		if now, _, at := r.overlap(s); now != nil {
			back = append(back, nbd.Step{At: r.at + at, Data: bytes.Clone(now)})
		}
	}
	c.put(s)
	return func() {
		for _, b := range back {
			c.put(b)
		}
	}
}

func (c *choice) put(s nbd.Step) {
	for _, f := range c.files {
		now, data, _ := f.overlap(s)
		copy(now, data)
	}
	for _, slot := range c.slots {
		now, data, at := slot.overlap(s)
		if now == nil {
			continue
		}
		slot.count(at, at+int64(len(now)), -1)
		copy(now, data)
		slot.count(at, at+int64(len(now)), 1)
	}
}

// fault tells why a start of the card would not be one whole version. A PC and the
// Raspberry Pi start from cmdline.txt, UEFI from gokrazy.conf; gokrazy's init then
// looks into cmdline.txt, and goes to the other slot if the flag is there.
func (c *choice) fault() error {
	try := bytes.Contains(c.files[0].now, []byte("gokrazy.try_boot_inactive=1"))
	for i, f := range c.files {
		found := rootNamed.FindAllSubmatch(f.now, -1)
		if len(found) != 1 {
			return fmt.Errorf("%s names %d roots: %q", c.names[i], len(found), bytes.TrimRight(f.now, "\x00"))
		}
		named := slotA + int(found[0][1][0]-'1')
		if !c.slots[named].whole() {
			return fmt.Errorf("%s names partition %d, which holds no whole version", c.names[i], named)
		}
		if try && !c.slots[slotA+slotB-named].whole() {
			return errors.New("the trial is of a version that is not whole")
		}
	}
	return nil
}

// mixtures looks at what a power failure leaves at every step of an update: before
// it, and within it at many places, if it writes what decides on the next start. Of
// the writes since the last flush all, none, or any may be on the card. It returns
// what is wrong, and how many failures it looked at.
func mixtures(kept, durable *choice, log *nbd.Log) (faults []error, looked int) {
	look := func(c *choice, m nbd.Moment, f nbd.Fault) {
		looked++
		if err := c.fault(); err != nil {
			faults = append(faults, fmt.Errorf("step %d and %d bytes, policy %d, seed %d: %w", m.Steps, m.Bytes, f.Policy, f.Seed, err))
		}
	}
	flushed := 0
	for i, s := range append(log.Steps, nbd.Step{}) {
		m := nbd.Moment{Steps: i}
		look(kept, m, nbd.Fault{Policy: nbd.Keep})
		look(durable, m, nbd.Fault{Policy: nbd.Drop})
		shuffled(durable, log, m, look)
		switch {
		case s.Flush:
			for _, s := range log.Steps[flushed:i] {
				durable.put(s)
			}
			flushed = i
		case kept.touches(s):
			torn(kept, m, s, look)
			kept.put(s)
		}
	}
	return faults, looked
}

type lookAt func(c *choice, m nbd.Moment, f nbd.Fault)

// torn tears a write at many places.
func torn(c *choice, m nbd.Moment, s nbd.Step, look lookAt) {
	const places = 64
	for n := 1; n < len(s.Data); n += 1 + len(s.Data)/places {
		m.Bytes = n
		undo := c.write(nbd.Step{At: s.At, Data: s.Data[:n]})
		look(c, m, nbd.Fault{Policy: nbd.Keep})
		undo()
	}
}

// shuffled loses any of what was not flushed, in several ways, if that decides on
// the next start.
func shuffled(c *choice, log *nbd.Log, m nbd.Moment, look lookAt) {
	const ways = 24
	open := false
	for _, s := range log.Steps[log.Durable(m):m.Steps] {
		open = open || c.touches(s)
	}
	for seed := uint64(0); open && seed < ways; seed++ {
		f := nbd.Fault{Policy: nbd.Shuffle, Seed: seed}
		var undo []func()
		for _, s := range log.Left(m, f) {
			undo = append(undo, c.write(s))
		}
		look(c, m, f)
		for i := len(undo) - 1; i >= 0; i-- {
			undo[i]()
		}
	}
}

package config

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"
)

// platter is a folder in memory that forgets, at a power cut, what was not
// synced: of names any part of the changes since the folder was synced, in any
// combination; of contents all, the beginning, or zeros of the right length.
type platter struct {
	names   map[string]*content
	changes []func(map[string]*content) // not on the disk yet
	onDisk  map[string]*content
	temps   int
}

type content struct {
	data   []byte
	synced bool
}

var _ files = (*platter)(nil)

func newPlatter() *platter {
	return &platter{names: map[string]*content{}, onDisk: map[string]*content{}}
}

func (p *platter) copy() *platter {
	return &platter{names: maps.Clone(p.names), onDisk: maps.Clone(p.onDisk), changes: slices.Clone(p.changes)}
}

func (p *platter) change(f func(map[string]*content)) {
	f(p.names)
	p.changes = append(p.changes, f)
}

func (p *platter) Make() error { return nil }

func (p *platter) List() ([]string, error) { return slices.Sorted(maps.Keys(p.names)), nil }

func (p *platter) Read(name string) ([]byte, error) {
	c := p.names[name]
	if c == nil {
		return nil, fs.ErrNotExist
	}
	return bytes.Clone(c.data), nil
}

func (p *platter) Write(name string, data []byte) (pending, error) {
	p.temps++
	w := &platterPending{p: p, name: name, temp: fmt.Sprintf(".%s%d", name, p.temps), c: &content{data: bytes.Clone(data)}}
	p.change(func(names map[string]*content) { names[w.temp] = w.c })
	return w, nil
}

type platterPending struct {
	p          *platter
	name, temp string
	c          *content
	done       bool
}

func (w *platterPending) Sync() error { w.c.synced = true; return nil }

func (w *platterPending) Replace() error {
	w.done = true
	w.p.change(func(names map[string]*content) { names[w.name] = w.c; delete(names, w.temp) })
	return nil
}

func (w *platterPending) Discard() {
	if !w.done {
		w.p.change(func(names map[string]*content) { delete(names, w.temp) })
	}
}

func (p *platter) Keep(name, as string) error {
	c := p.names[name]
	if c == nil {
		return fs.ErrNotExist
	}
	p.change(func(names map[string]*content) { names[as] = c })
	return nil
}

func (p *platter) Remove(name string) error {
	p.change(func(names map[string]*content) { delete(names, name) })
	return nil
}

func (p *platter) Dir() (dir, error) { return (*platterDir)(p), nil }

type platterDir platter

func (d *platterDir) Sync() error {
	d.onDisk, d.changes = maps.Clone(d.names), nil
	return nil
}

func (d *platterDir) Close() error { return nil }

// cut is what the disk holds after a power cut.
func (p *platter) cut(rng *rand.Rand) *platter {
	after := newPlatter()
	names := maps.Clone(p.onDisk)
	for _, f := range p.changes {
		if rng.IntN(2) == 0 {
			f(names)
		}
	}
	torn := map[*content]*content{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		c := names[name]
		if torn[c] == nil {
			torn[c] = c.tear(rng)
		}
		after.names[name] = torn[c]
	}
	after.onDisk = maps.Clone(after.names)
	return after
}

func (c *content) tear(rng *rand.Rand) *content {
	if c.synced {
		return c
	}
	data := bytes.Clone(c.data)
	switch rng.IntN(3) {
	case 0:
		data = data[:rng.IntN(len(data)+1)]
	case 1:
		clear(data)
	}
	return &content{data: data, synced: true}
}

func TestPowerCutAtAnyStepLeavesTheOldSettingsOrTheNew(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	before := newPlatter()
	scenes[1].make(t, Options{Dir: "/perm", files: before})
	outcomes := map[string]int{}
	for at := range 16 {
		for range 25 {
			outcomes[cutSave(t, rng, before.copy(), at)]++
		}
	}
	if len(outcomes) != 2 || outcomes["old"] < 50 || outcomes["new"] < 50 {
		t.Errorf("outcomes %v", outcomes)
	}
}

// cutSave cuts the power at one step of a save and tells which settings are
// there afterwards.
func cutSave(t *testing.T, rng *rand.Rand, p *platter, at int) string {
	s, w := watched(Options{Dir: "/perm"}, p)
	old := s.Settings()
	updated := old.Clone()
	_ = change(&updated)

	after := p
	w.spoil, w.dead = at, true
	w.how = func(step func() error) error {
		if rng.IntN(2) == 0 {
			_ = step()
		}
		after = p.cut(rng)
		return errStopped
	}
	err := s.Update(change)
	if after == p {
		after = p.cut(rng) // some time after the save
		if err != nil {
			t.Fatal(err)
		}
	}
	left, state := load(Options{Dir: "/perm", files: after}.withDefaults())
	if state.Source != Loaded || state.Setup || len(state.Problems) > 0 {
		t.Fatalf("step %d, %s: %+v", at, w, state)
	}
	switch plain(left.settings) {
	case plain(old):
		if at > len(w.done) {
			t.Fatalf("a save that was reported is undone by a power cut")
		}
		return "old"
	case plain(updated):
		return "new"
	}
	return "other"
}

// The old names may come back then, so what they need must still be there.
func TestSaveWhoseLastSyncFailsIsAWarningAndLosesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	before := newPlatter()
	scenes[1].make(t, Options{Dir: "/perm", files: before})
	last := slices.Index(scenes[1].stepsOf(t), "replace "+configName) + 1
	for range 50 {
		p := before.copy()
		s, w := watched(Options{Dir: "/perm"}, p)
		w.spoil, w.how = last, fails(syscall.EIO)
		mustUpdate(t, s, change)
		if w.done[last] != "sync folder" {
			t.Fatalf("step %d is %s", last, w.done[last])
		}
		says(t, s.State().Problems, "saved, but", "power cut")
		o := Options{Dir: "/perm", files: p.cut(rng)}
		for _, name := range []string{configName, lastGoodName} {
			if _, err := readDocument(o, name); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}

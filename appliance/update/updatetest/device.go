package updatetest

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/prompt64/prompt64/appliance/update"
)

// ErrCut is what every call returns once the plug was pulled.
var ErrCut = errors.New("updatetest: there is no power")

// Names of the boot files.
const (
	Conf    = "loader/entries/gokrazy.conf" // what a UEFI machine starts from
	Cmdline = "cmdline.txt"                 // what the Pi starts from, and gokrazy's init reads
)

// Device is a pretended device. Its fields are set before its first Start, later by
// Change.
type Device struct {
	UEFI   bool // it starts from Conf
	About  update.Device
	Clock  bool     // the wall clock is set
	Online []string // interfaces with an address
	// RebootError is what the next restart fails with.
	RebootError error
	// SlotBytes is the size of a slot.
	SlotBytes int64
	// Forgets makes slots keep other bytes than those that were written.
	Forgets bool
	// SpareBytes is how large a bundle may be.
	SpareBytes int64

	mu      sync.Mutex
	slots   map[update.Slot][]byte
	files   map[string]update.BootFile
	record  []byte
	spool   []byte
	running update.Slot
	booted  update.Slot
	boots   int
	dead    bool
	steps   []string // the side effects since the last Start
	cutAt   int      // the number of the step at which the plug is pulled, from 1
	torn    bool     // that step leaves half of it behind
	restart chan string
}

var _ update.System = (*Device)(nil)

// New makes a device that runs a root from slot A and has the other slot empty.
func New(root []byte) *Device {
	d := &Device{
		Clock: true, Online: []string{"eth0"}, SlotBytes: 1 << 20, SpareBytes: 1 << 20,
		About: update.Device{Board: "rpi", Arch: "arm64", Kernel: Digest("kernel"), Release: "6.12", Guard: Digest("guard")},
		slots: map[update.Slot][]byte{update.SlotA: slices.Clone(root), update.SlotB: nil},
		files: map[string]update.BootFile{
			Conf:    {Name: Conf, Root: update.SlotA},
			Cmdline: {Name: Cmdline, Root: update.SlotA},
		},
	}
	return d
}

// Change changes fields while the device runs.
func (d *Device) Change(change func(*Device)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change(d)
}

// CutAt pulls the plug at the n-th side effect after the next Start, before it takes
// place or, if torn, in its middle. Zero: never.
func (d *Device) CutAt(n int, torn bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.cutAt, d.torn = n, torn
}

// Start powers the device on as gokrazy does, and returns whether a whole root runs;
// a trial of one that is not panics, and the old one starts.
func (d *Device) Start() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dead, d.steps, d.restart = false, nil, make(chan string, 1)
	for range 2 {
		d.boots++
		d.booted = d.files[d.starts()].Root
		d.running = d.booted
		if f := d.files[Cmdline]; f.Try {
			f.Try, f.Was = false, true
			d.files[Cmdline] = f
			d.running = d.booted.Other()
		}
		if _, _, ok := parseRoot(d.slots[d.running]); ok {
			return true
		}
	}
	return false
}

func (d *Device) starts() string {
	if d.UEFI {
		return Conf
	}
	return Cmdline
}

// Restarts tells why the device wants to start again; it comes once a Start.
func (d *Device) Restarts() <-chan string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.restart
}

// Pull pulls the plug.
func (d *Device) Pull() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dead = true
}

// Dead reports whether the plug was pulled since the last Start.
func (d *Device) Dead() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dead
}

// InTrial reports whether the running root is not the one that the kernel was told.
func (d *Device) InTrial() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.running != d.booted
}

// Steps names the side effects since the last Start.
func (d *Device) Steps() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.steps)
}

// Version is the version that runs.
func (d *Device) Version() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	version, _, _ := parseRoot(d.slots[d.running])
	return version
}

// Trait reports whether what runs was made with a trait.
func (d *Device) Trait(trait string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, traits, _ := parseRoot(d.slots[d.running])
	return slices.Contains(traits, trait)
}

// SetSlot puts something into a slot.
func (d *Device) SetSlot(slot update.Slot, content []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.slots[slot] = slices.Clone(content)
}

// SetRecord replaces the record.
func (d *Device) SetRecord(data []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.record = slices.Clone(data)
}

// SetBootFile replaces what a boot file says.
func (d *Device) SetBootFile(f update.BootFile) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.files[f.Name] = f
}

// step is told of a side effect before it takes place. half makes it leave half of
// itself behind and fail.
func (d *Device) step(name string) (half bool, err error) {
	if d.dead {
		return false, ErrCut
	}
	d.steps = append(d.steps, name)
	if len(d.steps) != d.cutAt {
		return false, nil
	}
	d.dead, d.cutAt = true, 0
	if d.torn {
		return true, ErrCut
	}
	return false, fmt.Errorf("%w at %s", ErrCut, name)
}

package linktest

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prompt64/prompt64/appliance/link"
)

var errUnplugged = errors.New("linktest: the adapter is not plugged in")

// Line is a serial line between a C64 and a bridge. Its methods may be called
// at any time.
type Line struct {
	baud     int
	toBridge *direction
	toC64    *direction
	slow     atomic.Int64 // the line is so many times slower than its speed says
	echo     atomic.Bool

	mu      sync.Mutex
	path    string
	serial  string
	plugged bool
	bridge  *end // the open one
	c64     *end
}

// NewLine makes a line that works, with an adapter at /dev/ttyUSB0; baud 0 takes
// no time. The seed is that of its faults.
func NewLine(baud int, seed uint64) *Line {
	l := &Line{baud: baud, path: "/dev/ttyUSB0", serial: "P64-1", plugged: true}
	l.slow.Store(1)
	l.toBridge, l.toC64 = newDirection(l, seed, baud), newDirection(l, seed+1, baud)
	return l
}

func (l *Line) speedPart() int64 { return l.slow.Load() }

// Config is what the bridge listens with.
func (l *Line) Config() link.Config {
	return link.Config{Port: "/dev/ttyUSB0", Baud: l.baud, Open: l.Open, List: l.List}
}

// Open is a link.OpenFunc: it opens the bridge's end.
func (l *Line) Open(path string, baud int) (link.Port, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.plugged || path != l.path {
		return nil, fmt.Errorf("linktest: open %s: %w", path, errUnplugged)
	}
	if l.bridge != nil && !l.bridge.dead.Load() {
		return nil, fmt.Errorf("linktest: open %s: it is in use", path)
	}
	l.bridge = &end{line: l, in: l.toBridge, out: l.toC64}
	return l.bridge, nil
}

// List is a link.ListFunc.
func (l *Line) List() ([]link.Device, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.plugged {
		return nil, nil
	}
	return []link.Device{{Path: "/dev/ttyS0"}, {Path: l.path, Serial: l.serial}}, nil
}

// C64 is the C64's end; the one before it is dead then.
func (l *Line) C64() link.Port {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.c64 != nil {
		l.c64.die()
	}
	l.c64 = &end{line: l, in: l.toC64, out: l.toBridge}
	return l.c64
}

// Unplug pulls the adapter out. With silent the open port does not notice, as
// with some drivers.
func (l *Line) Unplug(silent bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.plugged = false
	hole := func(d *direction) { d.change(func() { d.hole, d.queue, d.ready = true, nil, nil }) }
	hole(l.toBridge)
	hole(l.toC64)
	if l.bridge != nil && !silent {
		l.bridge.die()
	}
}

// Plug puts the adapter back, at a path that may be another one.
func (l *Line) Plug(path, serial string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.plugged, l.path, l.serial = true, path, serial
	whole := func(d *direction) { d.change(func() { d.hole, d.queue, d.ready = false, nil, nil }) }
	whole(l.toBridge)
	whole(l.toC64)
}

// Fault sets the faults of both directions.
func (l *Line) Fault(f Faults) {
	for _, d := range []*direction{l.toBridge, l.toC64} {
		d.change(func() { d.faults = f })
	}
}

// Cut lets nothing through, in both directions, until it is called with false.
func (l *Line) Cut(cut bool) {
	for _, d := range []*direction{l.toBridge, l.toC64} {
		d.change(func() { d.hole = cut })
	}
}

// Echo makes the line send everything back to where it came from as well.
func (l *Line) Echo(on bool) { l.echo.Store(on) }

// Slow makes the line n times slower than its speed says.
func (l *Line) Slow(n int) { l.slow.Store(int64(n)) }

// Hold is the C64's RTS: while it is held the bridge's bytes stay in front of
// the wire.
func (l *Line) Hold(held bool) {
	l.toC64.change(func() { l.toC64.held = held; l.toC64.free = time.Now() })
}

// C64Baud changes the C64's speed alone.
func (l *Line) C64Baud(baud int) {
	l.toBridge.change(func() { l.toBridge.baud = baud })
	l.toC64.change(func() { l.toC64.heard = baud })
}

// Sent is how many bytes went over the wire so far.
func (l *Line) Sent() (toBridge, toC64 uint64) {
	l.toBridge.change(func() { toBridge = l.toBridge.sent })
	l.toC64.change(func() { toC64 = l.toC64.sent })
	return toBridge, toC64
}

// end is one end of a line.
type end struct {
	line *Line
	in   *direction
	out  *direction
	dead atomic.Bool
}

var _ link.Port = (*end)(nil)

// Read implements link.Port.
func (e *end) Read(b []byte) (int, error) { return e.in.read(b, e.dead.Load) }

// Write implements link.Port.
func (e *end) Write(b []byte) (int, error) {
	n, err := e.out.write(b, e.dead.Load)
	if e.line.echo.Load() {
		_, _ = e.in.write(b[:n], e.dead.Load)
	}
	return n, err
}

// Queued is how many bytes wait in front of the wire.
func (e *end) Queued() (int, error) { return e.out.waiting(), nil }

// Close implements link.Port.
func (e *end) Close() error {
	e.die()
	return nil
}

func (e *end) die() {
	e.dead.Store(true)
	e.in.change(func() {})
	e.out.change(func() {})
}

package stage

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/link"
	"github.com/prompt64/prompt64/appliance/link/linktest"
	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/c64prg/machine/acia"
)

// LineOptions say which line there is between a C64 and a bridge. The zero value
// is a SwiftLink at $DE00 and a line at 38400 that does no harm.
type LineOptions struct {
	Profile   acia.Profile
	Baud      int  // of both ends; 0: 38400
	Rockwell  bool // the chip is Rockwell's
	Page      byte // of the cartridge; 0: $DE
	Overshoot int  // bytes that the bridge's adapter sends behind a fallen RTS
	Faults    linktest.Faults
	Seed      uint64 // of the faults
	Echo      bool   // both ends hear themselves
	Gap       int    // byte times of silence behind each byte to the C64
}

// Line is a serial line: the C64's cartridge at one end, the bridge's adapter at
// the other. A test with a Line runs in a testing/synctest bubble, where the
// machine's clock and the bridge's are the same.
type Line struct {
	o        LineOptions
	listener *link.Listener

	mu     sync.Mutex
	dev    *acia.Device
	away   bool            // the adapter is pulled out
	cut    bool            // nothing gets through
	opened map[uint16]bool // nonces that the bridge accepted
	dec    link.Decoder    // of what it wrote
}

// NewLine makes a line whose adapter waits for a C64.
func NewLine(t testing.TB, o LineOptions) *Line {
	t.Helper()
	if o.Baud == 0 {
		o.Baud = link.DefaultBaud
	}
	if o.Page == 0 {
		o.Page = 0xde
	}
	l := &Line{o: o, opened: map[uint16]bool{}}
	var err error
	l.listener, err = link.Listen(link.Config{
		Port: "/dev/c64", Baud: o.Baud, Open: l.open,
		List: func() ([]link.Device, error) { return nil, nil },
	})
	if err != nil {
		t.Fatalf("stage: %v", err)
	}
	return l
}

// plug puts the cartridge into a machine.
func (l *Line) plug(m *machine.Machine) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dev = acia.New(acia.Config{
		Hz: m.Standard().Hz, Profile: l.o.Profile, Rockwell: l.o.Rockwell, LineBaud: l.o.Baud,
		Overshoot: l.o.Overshoot, Violate: m.Violate,
	})
	m.AttachAt(l.o.Page, l.dev)
}

// Device is the cartridge.
func (l *Line) Device() *acia.Device {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dev
}

var errAway = errors.New("stage: the adapter is not plugged in")

func (l *Line) open(string, int) (link.Port, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.away || l.dev == nil {
		return nil, errAway
	}
	return linktest.Noisy(&adapter{l, l.dev.Port().Reopen()}, l.o.Faults, l.o.Seed), nil
}

// Unplug pulls the bridge's adapter out.
func (l *Line) Unplug() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.away = true
	_ = l.dev.Port().Close()
}

// Plug puts it back.
func (l *Line) Plug() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.away = false
}

// Cut lets nothing through, until it is called with false.
func (l *Line) Cut(cut bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = cut
}

// through says whether bytes get through.
func (l *Line) through() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.cut
}

// note looks at what the bridge writes.
func (l *Line) note(b []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dec.Feed(b, func(p link.Packet) {
		if p.Kind == link.Opened {
			l.opened[p.Nonce] = true
		}
	})
}

// Opened is how many connections the bridge has accepted.
func (l *Line) Opened() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.opened)
}

// adapter is the bridge's end of a line.
type adapter struct {
	line *Line
	*acia.Port
}

var _ link.Port = (*adapter)(nil)

// Read implements link.Port.
func (a *adapter) Read(b []byte) (int, error) {
	for {
		n, err := a.Port.Read(b)
		if err != nil {
			return n, err
		}
		if a.line.o.Echo {
			if _, err := a.Port.Write(b[:n]); err != nil {
				return 0, err
			}
		}
		if a.line.through() {
			return n, nil
		}
	}
}

// Write implements link.Port.
func (a *adapter) Write(b []byte) (int, error) {
	a.line.note(b)
	if !a.line.through() {
		return len(b), nil
	}
	if a.line.o.Gap == 0 {
		return a.Port.Write(b)
	}
	for i := range b {
		if _, err := a.Port.Write(b[i : i+1]); err != nil {
			return i, err
		}
		time.Sleep(link.WireTime(1+a.line.o.Gap, a.line.o.Baud))
	}
	return len(b), nil
}

// NewLineAt makes a line whose C64 is somewhere else: open gives the bridge its
// end.
func NewLineAt(t testing.TB, open func() (link.Port, error)) *Line {
	t.Helper()
	l := &Line{}
	var err error
	l.listener, err = link.Listen(link.Config{
		Port: "/dev/c64",
		Open: func(string, int) (link.Port, error) { return open() },
		List: func() ([]link.Device, error) { return nil, nil },
	})
	if err != nil {
		t.Fatalf("stage: %v", err)
	}
	return l
}

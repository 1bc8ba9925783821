package wifitest

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prompt64/prompt64/appliance/wifi"
)

// How long things take, unless Hurry was called.
const (
	ScanTime   = 2 * time.Second
	JoinTime   = time.Second
	LeaseTime  = time.Second
	RefuseTime = 5 * time.Second // a DHCP client without a server ends after it
	LoadTime   = 3 * time.Second // from a driver to its interface
)

// AP is an access point.
type AP struct {
	SSID      string
	BSSID     string
	Key       string // of a WPA2 network
	Security  wifi.Security
	SignalDBm int
	Hidden    bool
	Refuses   uint16 // IEEE 802.11 status that it refuses with; 0: lets in
	Mute      bool   // it does not answer
	NoDHCP    bool
	Subnet    string // the first three numbers of its addresses
}

// World is where the radio is. Its methods may be called from everywhere.
type World struct {
	mu      sync.Mutex
	aps     []AP
	iface   wifi.Interface // Index 0: none
	index   int            // of the last interface
	name    string
	up      bool
	loaded  bool
	blocked bool
	missing wifi.Missing
	region  string
	deaf    bool // no events
	sick    sickness

	scanFaults, joinFaults []error
	scanned                bool // something was ever found

	joining int // counts attempts and associations: an old one's timer does nothing
	link    *link
	address netip.Prefix
	leased  int // the association that the address is of
	hosts   int
	clients map[*client]bool

	events  map[chan wifi.Event]bool
	journal []string
	start   time.Time
	pace    time.Duration // what times are divided by
}

type link struct {
	ap    AP
	id    int
	began time.Time
}

// sickness is what ails the radio's firmware.
type sickness uint8

const (
	well    sickness = iota
	dizzy            // until it is switched off and on
	crashed          // until its driver is loaded anew
)

// New makes a world whose radio is there, with its driver loaded.
func New(aps ...AP) *World {
	w := &World{
		name: "wlan0", loaded: true, pace: 1,
		clients: map[*client]bool{}, events: map[chan wifi.Event]bool{}, start: time.Now(),
	}
	w.appear()
	for _, a := range aps {
		w.Put(a)
	}
	return w
}

// Hurry makes everything faster, for a test without a clock of its own. It is
// called before the World is used.
func (w *World) Hurry(times int) { w.pace = time.Duration(times) }

func (w *World) appear() {
	w.index++
	w.iface, w.up = wifi.Interface{Index: w.index, Name: w.name}, false
}

// note adds a line to the journal. The mutex is held.
func (w *World) note(format string, args ...any) {
	w.journal = append(w.journal, fmt.Sprintf(format, args...))
}

// Journal returns what the Manager did, in order.
func (w *World) Journal() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.journal)
}

// Count counts the journal's lines that begin with a text.
func (w *World) Count(prefix string) int {
	n := 0
	for _, line := range w.Journal() {
		if strings.HasPrefix(line, prefix) {
			n++
		}
	}
	return n
}

// Usable reports whether packets would go through: there is an association, and
// an address that was leased in it.
func (w *World) Usable() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.link != nil && w.address.IsValid() && w.leased == w.link.id
}

// In returns the SSID of the association; empty: none.
func (w *World) In() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.link == nil {
		return ""
	}
	return w.link.ap.SSID
}

// Clients counts the DHCP clients that run.
func (w *World) Clients() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.clients)
}

// Region returns the country in force.
func (w *World) Region() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.region
}

// tell sends an event to all who listen. The mutex is held.
func (w *World) tell(e wifi.Event) {
	if w.deaf {
		return
	}
	for ch := range w.events {
		select {
		case ch <- e:
		default: // as a full socket buffer does
		}
	}
}

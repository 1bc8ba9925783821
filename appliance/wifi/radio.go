package wifi

import (
	"context"
	"errors"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
)

// Radio is what a Manager needs of the kernel's nl80211. Every call ends with its
// context. Only Events is called from another goroutine than the rest.
type Radio interface {
	// Interfaces lists the interfaces that can join networks.
	Interfaces(ctx context.Context) ([]Interface, error)
	// SetUp switches an interface on or off.
	SetUp(ctx context.Context, i Interface, up bool) error
	// SetRegion tells which country's rules hold; empty is the world's.
	SetRegion(ctx context.Context, region string) error
	// Scan looks for access points and returns when that is done.
	Scan(ctx context.Context, i Interface) error
	// AccessPoints returns what the last scans found.
	AccessPoints(ctx context.Context, i Interface) ([]AccessPoint, error)
	// Join begins to join a network; Link tells when it has. An empty key is an
	// open network.
	Join(ctx context.Context, i Interface, ssid string, key config.Secret) error
	// Leave ends an association or an attempt at one.
	Leave(ctx context.Context, i Interface) error
	// Link returns the association, or ErrNoLink.
	Link(ctx context.Context, i Interface) (Link, error)
	// Events returns what the kernel tells on its own, until ctx is done. The
	// channel is closed if that ends earlier. A slow reader misses events.
	Events(ctx context.Context) (<-chan Event, error)
}

// What a Radio's errors may be. Faults of the system are its error numbers:
// EBUSY, ETIMEDOUT, ENODEV, ENETDOWN.
var (
	ErrNoLink       = errors.New("not associated")
	ErrBlocked      = errors.New("blocked by rfkill")
	ErrScanAborted  = errors.New("scan aborted")
	ErrNotSupported = errors.New("the driver cannot join WPA2 networks by itself")
)

// Interface is a network interface of a radio.
type Interface struct {
	Index int
	Name  string
}

// AccessPoint is one that a scan found.
type AccessPoint struct {
	SSID      string // empty: hidden
	BSSID     string
	SignalDBm int
	Frequency int // MHz
	Security  Security
	Seen      time.Duration // ago
}

// Security is what an access point asks for.
type Security uint8

// The kinds of security.
const (
	Open       Security = iota // nothing, or WEP or the first WPA, which look the same
	WPA2                       // a key, as WPA2-PSK takes it, perhaps WPA3 too
	WPA3                       // a key, but not as WPA2-PSK takes it
	Enterprise                 // a user's name and more
)

// String names the security as the pages do.
func (s Security) String() string {
	switch s {
	case Open:
		return "open"
	case WPA2:
		return "WPA2"
	case WPA3:
		return "WPA3 only"
	case Enterprise:
		return "enterprise"
	}
	return "unknown"
}

// Link is an association.
type Link struct {
	SSID      string
	BSSID     string
	SignalDBm int
	Frequency int           // MHz
	Connected time.Duration // since the association
}

// Event is what the kernel told on its own.
type Event struct {
	Kind      EventKind
	Interface int    // its index
	Code      uint16 // IEEE 802.11 status (Refused) or reason (Lost)
	TimedOut  bool   // Refused: there was no answer
	ByAP      bool   // Lost: the access point wanted it
}

// EventKind says what happened.
type EventKind uint8

// The kinds of events.
const (
	Joined  EventKind = iota + 1 // an attempt succeeded
	Refused                      // an attempt failed
	Lost                         // an association ended
	Roamed                       // another access point of the network took over
	Changed                      // an interface came or went
)

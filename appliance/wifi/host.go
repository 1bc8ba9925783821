package wifi

import (
	"context"
	"net/netip"
)

// Host is what a Manager needs of the machine besides its radio.
type Host interface {
	// LoadDriver loads the driver's modules; those that are loaded already are
	// no error.
	LoadDriver(ctx context.Context) error
	// UnloadDriver removes them.
	UnloadDriver(ctx context.Context) error
	// Missing tells why there is no interface, as far as that can be seen.
	Missing() Missing
	// Blocked tells whether the radio is switched off, and switches it on where
	// that can be done.
	Blocked() bool
	// StartDHCP starts a client that asks for an address for an interface and
	// renews it. It must be stopped.
	StartDHCP(ifname string) (DHCP, error)
	// Address returns the interface's IPv4 address; the zero Prefix is none.
	Address(ifname string) netip.Prefix
	// ClearAddresses removes what a former network left.
	ClearAddresses(ifname string) error
}

// DHCP is a client that runs.
type DHCP interface {
	// Done is closed when the client has ended.
	Done() <-chan struct{}
	// Stop ends the client and waits for its end.
	Stop()
}

// Missing is why there is no interface.
type Missing uint8

// What may be missing.
const (
	MissingUnknown  Missing = iota // there is hardware and all it needs, and yet no interface
	MissingRadio                   // there is no hardware
	MissingDriver                  // the kernel has no driver
	MissingFirmware                // the radio's own program is not on the card
)

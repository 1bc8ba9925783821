package mdns

import (
	"net/netip"
	"time"
)

// Numbers of RFC 6762 and 6763.
const (
	port = 5353

	unicastBit = 1 << 15 // in a question's class: answer to me alone
	flushBit   = 1 << 15 // in a record's class: forget what others said of it

	hostTTL  = 120  // seconds, of records with an address or a host's name
	otherTTL = 4500 // of all others
	legacy   = 10   // at most, to one who knows ordinary DNS only

	typeNSEC = 47
	maxLabel = 63

	probes       = 3
	probeEvery   = 250 * time.Millisecond
	probeDelay   = 250 * time.Millisecond // at most, before the first
	deferTime    = time.Second            // after a lost draw
	announcement = 2
	announceGap  = time.Second
	sharedMin    = 20 * time.Millisecond // an answer that others may have, too
	sharedMax    = 120 * time.Millisecond
	repeatAfter  = time.Second            // until a record is multicast again,
	defendAfter  = 250 * time.Millisecond // or again in answer to a probe
	brakeAfter   = 15                     // conflicts
	brakeWithin  = 10 * time.Second
	brakeTime    = 5 * time.Second
)

// group is where everybody listens.
var group = netip.MustParseAddrPort("224.0.0.251:5353")

// Our own choices.
const (
	linkEvery = 3 * time.Second // interfaces are looked at
	maxPacket = 9000            // RFC 6762, section 17
	maxQueue  = 64              // answers waiting for their time
)

package ultimate

import "time"

// Ports of an Ultimate.
const (
	restPort  = 80
	identPort = 64
)

// Limits on what a device may answer. An Ultimate's longest answer of those asked
// for here, every category with one item, is below 4 KiB.
const (
	maxBody     = 64 << 10
	maxHeader   = 16 << 10
	maxDatagram = 2 << 10
	maxFound    = 32 // devices in one search
	maxText     = 64 // characters of a name
)

// A PRG is a load address and at most what fits behind it.
const (
	minProgram = 3
	maxProgram = 2 + 64<<10
)

// Deadlines. A device that writes its flash, or that has its menu open, is slow.
const (
	dialTimeout = 3 * time.Second
	lookTimeout = 6 * time.Second  // one request that reads
	setTimeout  = 15 * time.Second // one request that changes a setting
	runTimeout  = 30 * time.Second // a program over a slow Wi-Fi, and the reset
)

// A search: the question is sent a second time, since a datagram may be lost.
const (
	identAgain = 600 * time.Millisecond
	identWait  = 1500 * time.Millisecond
	lookers    = 4 // devices looked at side by side
)

// A device that is busy is asked again.
const (
	busyTries = 4
	busyPause = time.Second
)

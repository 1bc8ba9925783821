package wifi

import "time"

// Numbers of our own choice.
const (
	callTime = 5 * time.Second // for an answer of the kernel

	scanTime    = 12 * time.Second       // for a scan; brcmfmac gives up after 10
	scanTries   = 5                      // in a row
	scanPause   = 500 * time.Millisecond // after a failed one, doubled each time
	scanLookups = 3                      // after the first scan the list may be empty for a moment
	lookupPause = 300 * time.Millisecond
	pickTime    = 30 * time.Second // how old an access point's last sign of life may be

	joinTime    = 20 * time.Second // for an association
	addressTime = 30 * time.Second // for an address after it
	settleTime  = 10 * time.Second // an association lost within it counts as an attempt that failed
	stableTime  = time.Minute      // an association held for it ends the back-off

	pollStep  = 500 * time.Millisecond // while something is awaited
	watchStep = 5 * time.Second        // while all is well

	pauseMin   = 2 * time.Second // between rounds, doubled each time
	pauseMax   = time.Minute
	jitterPart = 4 // pauses vary by up to a quarter

	// Suspicion of the radio, see suspect.go.
	suspectRefusal = 1
	suspectFault   = 2
	suspectLimit   = 8

	dhcpPauseMin = time.Second // before a client that ended is started again, doubled each time
	dhcpPauseMax = 30 * time.Second

	// Deadline is more than the longest pause, and the calls to a driver that
	// does not answer around it.
	Deadline = 2*pauseMax + 10*callTime

	// How many rounds the networks of changed settings have for themselves. From
	// the one after them on the former network is tried behind them.
	trialRounds = 2
)

package web

import "time"

// Our own choices.
const (
	headerTime = 5 * time.Second  // for a request's header to arrive
	readTime   = 15 * time.Second // for all of a request
	writeTime  = 30 * time.Second // for an answer; a sign-in takes a second on a small Pi
	idleTime   = 30 * time.Second
	headerSize = 16 << 10
	bodySize   = 64 << 10 // no form is larger
	uploadSize = 1 << 30  // but one with an update
	fieldSize  = 4 << 10  // beside the update
	maxFields  = 8        // of them, and it
	checkTime  = 2 * time.Minute
	drainTime  = 2 * time.Minute // for a stranger to send a file that was refused
	maxDrains  = 2               // of them at a time

	maxConns        = 96 // at a time, the machine's own aside
	maxConnsAddress = 24 // of one address; a browser opens six

	maxSessions = 32             // browsers that are signed in; the longest idle one goes
	idleSession = 24 * time.Hour // after which a browser must sign in again
	longSession = 30 * 24 * time.Hour

	maxStreams = 24                     // answers that go on, at a time
	beatTime   = 15 * time.Second       // between signs of life of one
	pauseTime  = 100 * time.Millisecond // between its events
	bundleTime = 2 * time.Minute        // for a support bundle to be made, and to be sent
	shownLines = 500                    // of the log on its page

	maxAddresses = 256 // whose wrong passwords are counted
)

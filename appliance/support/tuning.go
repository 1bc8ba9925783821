package support

import "time"

// Our own choices, in bytes where nothing else is said.
const (
	logSize     = 256 << 10 // of the log in memory
	lineSize    = 8 << 10   // of a line; the rest is cut
	lineCost    = 96        // what a line costs beside its text
	shortest    = 4         // a secret with fewer characters is not looked for
	diskEvery   = 10 * time.Second
	diskFile    = 128 << 10 // of the file of warnings, before it is turned over
	crashSize   = 256 << 10 // of a crash that is kept
	crashesKept = 3
	partSize    = 1 << 20 // of a file in a bundle
	partTime    = 20 * time.Second
)

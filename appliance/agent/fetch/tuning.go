package fetch

import "time"

// Values where a Fetcher leaves them open.
const (
	defaultTries = 6                // failures without progress before giving up
	defaultStall = 60 * time.Second // a radio that reassociates is back sooner
	defaultLimit = 1 << 30          // bytes of a file
	firstPause   = time.Second      // doubles with each failure
	longestPause = 30 * time.Second
	progressStep = 64 << 10 // bytes that count as progress
	bufferSize   = 256 << 10
)

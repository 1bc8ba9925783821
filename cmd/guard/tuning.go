package main

import "time"

// The rules, as the device's description has them.
const (
	every        = 5 * time.Second
	failures     = 3                // in a row, until something is done
	restartsIn   = 10 * time.Minute // this many restarts within this time
	restarts     = 3                // are a reboot
	rebootsIn    = 24 * time.Hour
	maxReboots   = 3
	memoryLimit  = 256 // MiB; the bridge's own aim is half of it, see GOMEMLIMIT in config.json
	answerTime   = 4 * time.Second
	grace        = time.Minute      // for a bridge that starts, or ends and starts again
	still        = 2 * time.Minute  // for work of a bridge that starts to get on; a card may pause
	keepTimeAt   = time.Hour        // how often the time that the device has run is written
	dumpTime     = 5 * time.Second  // for the bridge to write its goroutines
	logTime      = 2 * time.Second  // for gokrazy to tell what it has
	endTime      = 15 * time.Second // for the bridge to end when it is asked to
	rebootTime   = 90 * time.Second // until a reboot is taken for failed
	gokrazyTime  = 10 * time.Second // for an answer of gokrazy
	actionsLimit = time.Minute      // for a dump and a restart in all
)

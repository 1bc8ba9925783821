package supervisor

import "time"

// FailureWindow is how long a failure counts against a part's Patience.
const FailureWindow = 10 * time.Minute

// Our own choices.
const (
	grace    = 1 * time.Second  // from the cancelling of a stuck part to its replacement
	stopTime = 5 * time.Second  // the longest that the end waits for one part
	inARow   = 3                // restarts without a pause
	pause    = 5 * time.Second  // and then each after about this one
	decay    = 30 * time.Second // in which half of the failures are forgotten
	petsPer  = 5                // Pets in a deadline, so that a late one does no harm
	unending = time.Hour        // between Pets where nobody watches
)

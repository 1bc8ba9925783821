package lease

import "time"

// Numbers of our own choice, and those of the specification that a C64 never
// sees; what both sides must know is in package frames.
const (
	mergeTime      = 25 * time.Millisecond  // deltas wait this long for more
	seenTime       = 300 * time.Millisecond // an answer that comes sooner was meant for what stood there before
	stopTime       = 5 * time.Second        // a provider that was asked to stop is killed then
	closeTime      = 5 * time.Second        // and is given up as gone this long after
	callTime       = time.Minute            // the longest a question to the provider may take
	backoffFirst   = 500 * time.Millisecond // before the agent is started again
	backoffLongest = 30 * time.Second
	stuckTime      = 8 * time.Second  // a lease that does not turn is given up then
	tellTime       = time.Second      // for all leases to describe themselves
	releaseTime    = 10 * time.Second // for a slow C64 to take the acknowledgement of its release

	brakeReplies = maxShortReplies / 2 // above that the C64's requests are read only as its replies go out
	brakeTime    = 2 * time.Second     // but not for ever: one that reads nothing at all piles up

	tendLooks = 4 // in stuckTime

	maxAttachments    = 16
	maxFromOneAddress = 8
	maxShortReplies   = 256  // waiting for a C64 that does not read
	maxOpenRequests   = 1024 // and long replies not yet begun
	inboxLength       = 32
)

// Bounds of transcripts, in bytes.
const (
	maxSaid       = 256 << 10 // of a lease
	maxSaidRead   = 16 << 10  // that one question gets, about
	maxSaidPiece  = 8 << 10   // of one entry that streams
	maxSaidText   = 16 << 10  // of the words of any other
	maxSaidDetail = 64 << 10  // of an approval's detail
	saidOverhead  = 256       // what an entry costs beside its words
	maxWatches    = 32        // at a time, of all leases
)

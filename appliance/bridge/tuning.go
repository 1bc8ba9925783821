package bridge

import "time"

// tuning holds the numbers that are this package's own choice or the protocol's
// text; tests shorten the times, since none of them may wait for real seconds.
type tuning struct {
	handshake    time.Duration // from accept to an attached lease, in all
	linger       time.Duration // reading on after the last word, so that it arrives
	lastWord     time.Duration // the longest that sending an Error may take
	stale        time.Duration // no frame and no newly acknowledged byte for as long
	watch        time.Duration // between two looks at every attached connection
	keepIdle     time.Duration // TCP keepalive: the first probe
	keepInterval time.Duration // and the ones after it
	keepCount    int           // unanswered probes that end a connection
	backoffMin   time.Duration // after a failed accept
	backoffMax   time.Duration
	maxWaiting   int // connections without a lease
}

func defaultTuning() tuning {
	return tuning{
		handshake:    10 * time.Second,
		linger:       time.Second,
		lastWord:     time.Second,
		stale:        6 * time.Second,
		watch:        time.Second,
		keepIdle:     5 * time.Second,
		keepInterval: time.Second,
		keepCount:    3,
		backoffMin:   5 * time.Millisecond,
		backoffMax:   time.Second,
		maxWaiting:   8,
	}
}

// silence is how long a peer may leave everything unanswered: what the
// keepalive probes amount to on an idle connection.
func (t tuning) silence() time.Duration {
	return t.keepIdle + time.Duration(t.keepCount)*t.keepInterval
}

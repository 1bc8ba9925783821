//go:build hang

package supervisor

import "time"

// DefaultDeadline is short where tests make parts hang.
const DefaultDeadline = 2 * time.Second

// Longest bounds the deadline of every part that is added, in a test that has no
// time for those of minutes; 0: none is changed. A part learns from Pet how often
// it is to be called then.
var Longest time.Duration

func bounded(deadline time.Duration) time.Duration {
	if Longest == 0 {
		return deadline
	}
	return min(deadline, Longest)
}

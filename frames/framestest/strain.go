package framestest

import "time"

// maxStrain bounds how far a client's patience grows: 64 times.
const maxStrain = 6

// Tests set the times of a client far below the protocol's, so that a black hole
// is found quickly. On a machine that is busy elsewhere such times also pass
// without a fault, and a client that never learned would break every line before
// it is of use. So each time-out doubles what the next one waits.

// patience is how long a wait that is configured as d lasts by now.
func (c *Client) patience(d time.Duration) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return d << c.strain
}

// strained notes a time-out.
func (c *Client) strained() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.strain = min(c.strain+1, maxStrain)
}

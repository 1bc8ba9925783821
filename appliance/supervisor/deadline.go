//go:build !hang

package supervisor

import "time"

// DefaultDeadline is a good one for a part that has nothing slow to do: long
// beside any pause of a busy machine, and short enough for a replacement before
// the guard, after 14 s of silence, has the whole process started again.
const DefaultDeadline = 8 * time.Second

// bounded is for tests alone.
func bounded(deadline time.Duration) time.Duration { return deadline }

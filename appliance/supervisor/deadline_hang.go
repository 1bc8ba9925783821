//go:build hang

package supervisor

import "time"

// DefaultDeadline is short where tests make parts hang.
const DefaultDeadline = 2 * time.Second

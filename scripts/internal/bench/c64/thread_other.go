//go:build !linux

package c64

import "time"

// threadTime is not known here.
func threadTime() time.Duration { return 0 }

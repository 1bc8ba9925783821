//go:build !linux

package workspace

// limitMemory has no means here; the time-out bounds what git can take.
func limitMemory(int) {}

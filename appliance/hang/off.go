//go:build !hang

package hang

// Here is where a goroutine may fall into a trap.
func Here(string) {}

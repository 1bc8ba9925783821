package lease

import "time"

// Link is what a lease knows of the connection that carries its C64. The
// methods return at once, may be called from any goroutine, and must not call
// back into the Table.
type Link interface {
	// Addr is the peer's address without its port; limits count by it. A
	// serial line has a name of its own.
	Addr() string
	// Stale reports whether for six seconds no frame came from the peer and
	// its transport acknowledged no new bytes.
	Stale() bool
	// Quiet is how long the last sign of life was ago.
	Quiet() time.Duration
	// Kill closes the connection without a word. It may be called more than
	// once; what still arrives on it is dropped.
	Kill()
}

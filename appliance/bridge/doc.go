// Package bridge is where C64s arrive: it listens, greets, asks who may come
// in, and then carries frames between a connection and its lease.
//
// What it does not promise: nothing is encrypted, and pairing proves only that
// somebody knew a short code, so the network must be one's own. What a C64 has
// not read when its connection ends is not sent by this package again; the lease
// replays it. A peer that answers at TCP's level but never reads holds its
// connection for as long as it likes.
//
// The idea: a connection is two goroutines, a reader and one writer. The reader
// does the greeting by itself and then hands each frame to the lease, which never
// makes it wait. The writer asks the lease for one frame at a time, and may
// block in a write for minutes without hurting anybody else. Either may find the
// end; the reader cleans up.
//
// Invariants: nothing but one maximum frame is allocated for a connection before
// its greeting was right; a connection without a lease lives for a bounded time,
// and so many of them at most; only the transport's failure detaches a lease,
// never a slow C64; a connection in which something was refused is closed in an
// order that lets the words arrive; neither codes nor tokens are logged.
package bridge

// Package supervisor keeps the parts of the bridge running: what ends, panics or
// gets stuck is started again, and at the end all parts stop in order.
//
// What it does not promise: Go cannot end a goroutine from outside. One that
// stays stuck after its context was cancelled is left behind, and a new one takes
// its place; what the old one holds (a mutex, memory) it keeps, and it may wake
// up later, under a context that is over. A deadlock outside of the parts, or a
// process that stands still as a whole, is for the guard beside it.
//
// The idea: a Tree runs each Part under a suture supervisor of its own, so that
// the back-off of one does not hold up another. Between suture and the part's
// Serve stands a watch: it turns panics into errors, and takes a part that has
// not called Pet for its deadline for stuck. What must outlive a restart (leases,
// connections, the settings) belongs to whoever made the part, not to its Serve.
//
// Invariants: at most one Serve of a part has a context that is not over; a part
// that fails again and again is started at most a few times in a row, then after
// pauses; a part that is needed and fails too often ends the Tree's patience,
// once, with its error; Stop ends the parts in the opposite order of their start,
// each before the next.
package supervisor

// Package guarded starts goroutines whose faults do not end the program.
//
// What it does not promise: what a goroutine left half done it does not mend, and a
// lock that is not released by a deferred call stays locked. Whoever owns the
// goroutine has to end what it was part of, and to make that anew: it learns of the
// fault from lost. What the Go runtime takes for fatal (memory that is used up, a map
// that two write to) still ends the program, and so does a panic in a goroutine that
// a library starts on its own, but for calls back into our own code, see Call and
// Writer.
//
// The idea: Go ends the whole program when any goroutine panics, and only a deferred
// call in that very goroutine can keep it from that. So every goroutine of the bridge
// begins here, with a name; a test finds those that do not. A panic, and an end
// without a return (runtime.Goexit), becomes a Fault: that is told with its stack to
// whoever Tell named, and given to lost.
//
// Invariants: lost is called at most once, in the goroutine that broke and behind its
// deferred calls; the Fault was told before; a fault in lost itself is told as well
// and goes no further.
package guarded

// Package lease keeps the conversations of the C64s: who holds which, what
// runs in it, and what its C64 has not seen yet.
//
// What it does not promise: a lease lives in memory, and is gone with the
// process; a C64 that stays away longer than the lifetime loses it. Only the
// frames of the current turn are kept for replay. An answer that the agent
// begins again after a fault of its own may show its first part twice, with a
// mark between. A lease whose goroutine is stuck or panics is lost; it takes no
// other with it, see Tend.
//
// The idea: a Table hands out leases and settles, under one lock, who may have
// which. Each lease is one goroutine that owns the turn, the approvals in line,
// the settings and the retained log; requests, provider events, detachments and
// timers are messages to it, taken in one order. It never waits: not for the
// provider, not for git, not for a C64. Slow things run beside it and report
// back. A connection's writer asks for one frame at a time (Attachment.Next)
// and is served from two places only, the queue of control replies and the log
// from its cursor on; so live streaming and replay are the same code.
//
// Invariants: a sequence is assigned once and names one frame for ever; the
// log's frames have ascending sequences; at most one attachment is current, and
// what an older one sends is dropped; an approval leaves the line in the step
// that logs its acknowledgement, before the provider is told; a turn ends with
// exactly one of TurnDone, TurnCancelled and TurnFailed.
//
// All time is monotonic; the wall clock is never read.
package lease

// Package support keeps what helps to find a fault: the last lines of the log in
// memory, those that matter on the card, the last words of a crash, and all of it
// together in one file that an owner can send.
//
// What it does not promise: redaction is a net, not a proof. A secret that nobody
// told the Redactor of, and that looks like nothing, passes; so the first rule stays
// that nobody logs one. What was said to the agent is in a bundle only where the
// owner ticked it. The log in memory is lost with the process, except for what was
// written to the card, seconds late.
//
// Invariants: everything that leaves this package went through the Redactor; all
// that is kept is bounded, in memory and on the card; a reader of the log never
// holds up who writes it; a part of a bundle that fails says so in the bundle and
// takes nothing else with it.
package support

// Package health finds out how the appliance does, as a tree: what is well, what
// is not, and what waits only for something else.
//
// What it does not promise: a report is the past, and what it says may be over
// when it is read. It repairs nothing. A check that cannot know says Unknown,
// never OK. Nothing here calls a stranger on the internet.
//
// The idea: a Probe looks at one thing and returns a Node. A Tree runs all probes
// side by side, each with a deadline, and puts the nodes in an order in which each
// stands behind what it needs. A node in trouble whose need has failed says that it
// waits for that need, and hints at nothing: there is one thing to do, at the root.
//
// Invariants: every probe of a tree has exactly one node in each report, whatever
// the probe does (hangs, panics, lies about its name); of one probe at most one
// check runs at a time, so one that never comes back costs one goroutine.
package health

// Package acptest is a scripted agent for the Agent Client Protocol, to test what
// drives agents.
//
// It has no model and no mind: a prompt is the script of its turn, one command a
// line, and each does one thing that a real agent was seen to do, good or bad.
// It is no reference for the protocol, and it speaks it by hand and not through
// an SDK, so that it can break it.
//
// The agent runs as a process of its own, which is the test's program started
// again: TestMain calls Main first, and Command gives what to start. With a
// Recording it plays a recorded session of a real agent instead of a script.
package acptest

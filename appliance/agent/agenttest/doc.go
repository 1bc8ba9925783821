// Package agenttest has what tests of installing an agent need: archives made in
// memory, a server that misbehaves, and a program that passes for Codex.
//
// Nothing in it is a model of the real program beyond what an installation looks
// at: the handshake, the version and the sandbox command.
package agenttest

// TB is what the package needs of a test, or of a script's command.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
	Cleanup(func())
}

package codex

import (
	"crypto/rand"
	"encoding/hex"
)

// A command of the agent's has a session of its own and may outlive the
// app-server: one that is killed takes nothing along, and an interrupt may come
// while a command is being started. Every process inherits its environment, so
// the environment tells whose it is.

// runVariable marks what an app-server of ours started, and no other did.
const runVariable = "PROMPT64_CODEX_RUN"

// newRun makes a mark.
func newRun() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// Variables that Codex gives to its commands.
const (
	threadVariable = "CODEX_THREAD_ID"
	callVariable   = "CODEX_TOOL_CALL_ID"
)

// sweepRun ends what is left of an app-server that ended. A process that forks
// meanwhile is found by the next look.
func sweepRun(run string) {
	for range 3 {
		if sweep(func(env environ) bool { return env.has(runVariable, run) }) == 0 {
			return
		}
	}
}

// sweepCommands ends what is left of some commands of a thread.
func sweepCommands(run, thread string, calls map[string]bool) int {
	return sweep(func(env environ) bool {
		return env.has(runVariable, run) && env.has(threadVariable, thread) && calls[env.value(callVariable)]
	})
}

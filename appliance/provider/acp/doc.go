// Package acp drives any agent that speaks the Agent Client Protocol over its
// standard streams: opencode, Gemini CLI, Claude, codex-acp, Copilot, Qwen, or a
// command of the user's own.
//
// The protocol does not confine an agent. Read Only means that the agent is put
// into its read-only mode, if it has one, and that every request to edit, delete,
// move or execute is declined; what an agent does without asking, it does with
// the rights of the bridge's user. There is no reviewer either: in Auto Review
// edits within the workspace pass, and everything else is still asked. Nothing is
// promised about what an agent remembers of a session that it cannot load.
//
// How it works:
//
//   - A session is one process in a process group of its own. It is started when
//     the session opens, and a turn waits for it; so a failed start is told as a
//     failed turn, and the next prompt tries again.
//   - One goroutine reads the agent's lines. It alone owns what a turn streams, in
//     the order of the wire, and stops for a turn when it hands over the response
//     to its prompt. It waits for a slow C64, up to the turn's cancel, so that the
//     agent waits too; nothing that goes to the agent waits for it.
//   - Requests of ours go through the SDK's connection. What the agent sends by
//     itself does not: the SDK closes a connection whose notifications are not
//     taken fast enough, runs requests beside notifications that came before
//     them, and takes kinds that it does not know for others.
//   - No file system and no terminal is offered to the agent: it uses its own, as
//     agents behave worse through a client's.
//   - An acceptance for the session is kept here, for exactly what the user saw,
//     and is told to the agent as one for once. An agent's own "always" may be
//     written to its disk and may outrank Read Only.
package acp

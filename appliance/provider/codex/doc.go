// Package codex is OpenAI Codex, driven through codex app-server: JSON lines over
// the standard streams of a command, or a WebSocket.
//
// It confines nothing by itself: what a command may touch is the business of
// Codex's sandbox and of the access mode that goes with every turn, and rules in
// the CODEX_HOME that allow a command lift both (Status warns of them). On a
// remote app-server it ends its own turns, but cannot kill the server. What a
// cancelled turn did before it stopped stays done.
//
// One app-server serves all sessions of a Provider. It is started when it is
// needed first; when it dies, its sessions die with it in words, and the next
// Open starts another. A turn that ignores an interrupt costs the whole server
// at the session's Close, and so the turns beside it: nothing may go on unseen.
//
// The reader of the connection never waits for a session, up to a bound of
// megabytes that wait for one. A session's own goroutine does what the server
// says in order. Whatever the server leaves open when a turn ends is closed by
// us: items, approvals, commands in the background.
package codex

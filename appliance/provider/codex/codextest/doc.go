// Package codextest has an app-server that only pretends: it speaks the protocol
// of codex app-server, does what its prompts say, and misbehaves when it is told
// to. It thinks nothing, has no sandbox, and knows only what a client of ours
// sends.
//
// A Server answers over any two streams, over a WebSocket, or, in a test binary
// that starts itself again, as a program: see Main. A prompt is a list of tags,
// done in their order:
//
//	[[say TEXT]]      a message, a word at a time
//	[[fill KIB]]      a message of so many KiB: see Fill
//	[[clock N MS]]    a message of N words, so many ms apart: see Stamps
//	[[think]]         reasoning in two parts, and raw reasoning
//	[[run COMMAND]]   runs a command, after the questions of the access mode
//	[[write PATH]]    changes a file likewise
//	[[busy]]          a command that runs until it is terminated
//	[[plan]]          a plan of two steps
//	[[fail WORDS]]    the turn fails
//	[[hang]]          says something, then nothing until it is interrupted
//	[[stuck]]         the same, but it is deaf to interrupts
//	[[silent]]        not another word, not even answers
//	[[crash]]         says something on both outputs and is gone
//	[[cut]]           a message breaks off, and comes again after a retry
//	[[offline]]       tries again for ever
//	[[raw JSON]]      sends that line, with THREAD and TURN filled in
//	[[ask JSON]]      sends that as a request and says what came back
//	[[huge KIB]]      a command whose output is that long
//
// Anything else is a plain prompt and gets a plain answer. Threads are stored in
// the home folder, so that another Server resumes them.
//
// Replay is the other pretender: it plays a recorded session of the real program.
package codextest

// Package responsestest is a fake of the Responses API, over server-sent events
// on a loopback address, for the real Codex to talk to. It is no model: it does
// what the tags of a prompt say, one after the other, and a tool's tag ends a
// response until its output came.
//
//	[[say TEXT]]     a message
//	[[fill KIB]]     a message of so many KiB: see Fill
//	[[think]]        reasoning: a summary of two parts, and raw text
//	[[run COMMAND]]  a command; where the mode allows, with a question whether
//	                 it may run outside of the sandbox
//	[[try COMMAND]]  a command in the sandbox
//	[[write PATH]]   a patch that adds a file
//	[[plan]]         a plan of two steps
//	[[hang]]         says something, then nothing more
//	[[cut]]          a message breaks off, and so does the connection
//	[[cutonce]]      the same, but the next request gets the whole of it
//	[[status N]]     the request fails with that status
//	[[quota]]        429, the quota is used up
//	[[limit]]        429, a usage limit that resets
//	[[failed WORDS]] the response fails in its stream
//	[[signal NAME]]  calls the test's function of that name
//
// It takes any key, checks no schema, and speaks as much of the API as Codex
// looks at. A prompt without tags gets a plain answer. The reviews of Auto
// Review are allowed, but for what contains the word forbidden.
package responsestest

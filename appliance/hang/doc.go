// Package hang lets tests make goroutines hang, panic or vanish where they stand,
// to see that they are replaced.
//
// It promises nothing in a program that people use: without the build tag "hang"
// Here is empty, and there is no way to set a trap.
//
// The idea: a goroutine calls Here with its name once in each of its turns. A test
// sets a trap for the name, in its own process with Set, or in another one with a
// file of that name in the folder that PROMPT64_HANG names. The first goroutine
// that comes by falls into it; the next one passes.
package hang

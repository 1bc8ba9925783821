// Package doctor finds out what an agent lacks to run on this machine, and says
// it in words with what to do.
//
// It repairs nothing, and what it finds may change a moment later. It asks no
// model: whether a key is accepted only a turn can tell.
package doctor

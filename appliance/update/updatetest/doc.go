// Package updatetest is a pretended device for tests of updates: a card with two
// slots and two boot files, a kernel that starts from them as gokrazy does, and a
// power plug that can be pulled at every side effect.
//
// It models what an update depends on: what is durable, which file the kernel or the
// boot loader reads, the one-shot trial of gokrazy's init, and that a root which is
// not whole panics. It does not model a worn-out card that forgets later.
package updatetest

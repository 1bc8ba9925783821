// Package linktest is what tests of the serial link need: a line between two
// ends that is as fast as its baud rate says and misbehaves on request, and a
// C64's end in Go that is the reference for the one in assembler.
//
// It is for tests and tools. A Line knows bytes, not voltages: a wrong speed is
// what a UART makes of the other's bits, but there are no framing errors. The
// C64 has no ring and no interrupt; what it does promise is the protocol's side:
// which packet it sends when, one packet buffer, and its own state machine, which
// shares nothing with the bridge's but the form of a packet.
//
// Everything takes its time from the time package, so that a test in a
// testing/synctest bubble runs at once and exactly.
package linktest

// Package acia models a 6551 at $DE00 as SwiftLink and Turbo232 cartridges have
// it, and the Ultimate's imitation of one, with a serial line behind it.
//
// It does not promise: other framings than 8N1, parity, BREAK, the receiver's
// echo mode, nor the Ultimate's modem commands; it was written from data sheets
// and notes of others, not from a run on hardware. What an Ultimate does when its
// transmit buffer is full is a guess: it holds TDRE back.
//
// What it keeps is what drivers stumble over: one received byte is all that a
// 6551 holds, and the next overruns it; reading the status ends the interrupt,
// which is an edge where it is wired to NMI; RTS off stops a real 6551's
// transmitter, with a byte left in its register; a sender goes on for some bytes
// after RTS fell; and all of it takes the time that the baud rate says.
//
// A Device belongs to the goroutine of its machine, and its time is emulated.
// Port, the other end of its line, may be used from anywhere. A machine with
// Options.Speed 1 in a testing/synctest bubble gives both ends one exact clock.
package acia

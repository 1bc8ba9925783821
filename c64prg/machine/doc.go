// Package machine is a model of the Commodore 64 that runs the project's PRG.
//
// It is no full emulator. It does not promise: sprites, bitmap, multicolour and
// extended colour modes (they draw black, as the VIC-II's invalid modes do),
// opened borders, N, V and Z behind a decimal ADC or SBC, sound (the SID is a log), undocumented opcodes (they end the
// run), tape and disk, effects inside one instruction, or any ROM routine: it
// ships no ROM, the BASIC and KERNAL areas hold a filler, and executing there
// is a failure with a trace.
//
// What it keeps: the eight banking modes and RAM beneath ROM and I/O; raster
// interrupts, bad lines and frame timing on PAL and NTSC; the picture, drawn
// line by line from what the VIC-II sees; the keyboard matrix in both
// directions, joysticks, CIA timers, time of day, IRQ and NMI; and the Ultimate
// Command Interface with real sockets behind it (package uci). An ACIA on a
// serial line (package acia) can be plugged into the cartridge port.
//
// A Machine belongs to one goroutine. The hot loop is hidden from the race
// detector (go:norace), which costs eight times the speed there and could find
// nothing but two goroutines in one machine; everything that touches sockets is
// not hidden. Time is emulated: cycles since power-on. Only the sockets behind the UCI
// and the far end of an ACIA live in real time; Options.Speed
// and the pacing rules in pace.go tie the two together.
//
// A program error is never a panic: Run returns a *Failure with registers, a
// stack trace and the screen, and every later Run returns it again.
package machine

// Package uci models the Ultimate Command Interface at $DF18-$DF1F with its
// network target, as firmware 3.10 and later answer it, with real TCP sockets
// behind it.
//
// It does not promise: the disk, control, SoftIEC and HTTP targets, UDP,
// setting an address, DMA transfers, nor exact firmware timing (the turn-around
// is a setting). It was written from the firmware's sources, not from a run on
// hardware.
//
// What it keeps is what programs stumble over: which bit falls first at the end
// of a command, where queues stop, what is left over for the next program,
// which errors look like others, and which sockets the firmware has already
// closed. Profiles hold what differs between firmware versions.
//
// A Device belongs to the goroutine of its machine. Its time is emulated, in
// cycles of Config.Hz; only the sockets' goroutines live in real time, and Wait
// is the one place where the two meet.
package uci

// Package link carries the byte stream of a C64 over a serial line, for one
// whose Ultimate has no network or that has no Ultimate at all. Listen gives a
// net.Listener whose connections are net.Conn, so that everything above is the
// same as over TCP.
//
// What it does not promise: nothing is encrypted, and who holds the plug is let
// in; a line that loses every packet for 15 s ends its connection, as a broken
// socket does; the check is 16 bits, so that about one damaged packet in 65,536
// passes for a good one, which the frames above may notice; a Write returns when the bytes are in a buffer
// here, and only Acknowledged tells what the C64 has; RTS/CTS, and finding an adapter at another
// path, need Linux.
//
// The idea: RFC 1662 frames hold small packets, DATA packets are numbered, at
// most two are outstanding, and each is sent again until it is acknowledged.
// One goroutine owns a line and its one connection; a reader and a writer serve
// the port, and a keeper opens it and finds it again after it was pulled out. A
// connection does not notice that, unless it takes longer than its 15 s.
//
// Invariants: bytes arrive exactly once and in order, whatever the line does;
// the owner never waits for the writer, which a C64 may hold by RTS for as long
// as it likes; nothing but an OPEN makes a connection, and a new OPEN replaces
// the older connection; memory is bounded by two packets each way and the
// buffers; garbage of any kind changes nothing.
package link

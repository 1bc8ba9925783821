// Package nbd is a disk for a virtual machine that can lose its power. It serves
// network block device requests on a unix socket, as QEMU speaks them.
//
// It is for tests. It is no general NBD server: one export, one client at a time,
// no TLS, no structured replies. Known Go libraries for NBD do not pass the client's
// flushes on, and a power cut is all about those.
//
// A Disk holds what was written but not flushed apart from what is durable. After
// the configured number of written bytes the power fails in the middle of that
// write: no request is answered any more, and of the writes since the last flush
// survives what the Policy says: all of them, none, or any of them in any order,
// torn at a sector's edge, as a card may do it. Whatever was flushed before is kept.
//
// Record logs what is done to a disk. With the content that it had before, every power
// failure can then be made of the Log, without doing all of it again.
package nbd

// Package d64 writes a disk image for the C64 with one program on it.
//
// It writes only: it changes no image, and it knows no other files than
// programs, no other disks than those of a 1541 with 35 tracks, and no error
// bytes. It does not look at what the program is.
//
// The layout is the drive's own: 683 sectors of 256 bytes, track 1 to 35, with
// 21, 19, 18 and 17 sectors from the outer to the inner zones; the block
// availability map in track 18, sector 0, and the directory behind it. A file's
// sectors are chained by their first two bytes, ten apart on a track, so that a
// drive has the next one under its head when the C64 has taken the last.
package d64

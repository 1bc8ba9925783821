// Package firstboot does what a device must do before its card and its clock are of
// full use: it grows /perm to the size of the card, and puts the clock forward to the
// time of the build.
//
// What it does not promise: the clock is not right afterwards, it is only not absurd;
// the network sets it. /perm is not made where there is none, and not repaired.
//
// The idea: an image is as small as it can be, and the card larger. Growing takes three
// steps: the partition table, what the kernel knows of it, the file system. There is no
// marker that says which one was done: each start looks at what is, and does what is
// missing, so that a power cut between two of them, or within one, leaves nothing to
// clean up. All of it happens while /perm is mounted and in use.
//
// Invariants: the partition only grows, and only where nothing lies behind it; its
// first sector never changes; of the two copies of the table one is whole at every
// moment (package gpt); nothing is written to a disk that does not hold a mounted ext4.
package firstboot

// Package firstboot does what a device must do before its card and its clock are of
// full use: it grows /perm to the size of the card, puts the clock forward to the time
// of the build, and makes a damaged /perm anew if its owner asks for that.
//
// What it does not promise: the clock is not right afterwards, it is only not absurd;
// the network sets it. A damaged /perm is not repaired: what is on it is lost once it is
// made anew. Damage that the kernel has not come upon is not known.
//
// The idea of growing: an image is as small as it can be, and the card larger. Growing takes three
// steps: the partition table, what the kernel knows of it, the file system. There is no
// marker that says which one was done: each start looks at what is, and does what is
// missing, so that a power cut between two of them, or within one, leaves nothing to
// clean up. All of it happens while /perm is mounted and in use.
//
// Invariants: the partition only grows, and only where nothing lies behind it; its
// first sector never changes; of the two copies of the table one is whole at every
// moment (package gpt); nothing is written to a disk that does not hold a mounted ext4.
//
// The idea of making anew: nobody but the owner may ask for it, by a file on the boot
// partition or signed in to the pages, which then write that file. A file system that
// is mounted is in use, so it is only spoiled; the next start does not mount it and
// formats it; the one after that finds it whole, and the file, which is a reset of the
// settings as on any device. So each power cut leaves a state that the next start goes
// on from. The tries are counted in the file, and nothing is destroyed unless the count
// could be written: a card that keeps nothing does not make the device start for ever.
package firstboot

// Package bootpart reaches the boot partition of the card that this device runs
// from, where its owner drops files. It is mounted for each call and no longer.
//
// What it does not promise: FAT has no journal. A power cut during a write may
// leave a damaged file, or a damaged folder; reading mounts it read-only and
// harms nothing.
//
// The idea: the boot partition is the first one of the disk whose other partition
// is the root file system; /sys/dev/block tells both. Mounting and finding are
// behind one small interface, whose fake is a folder.
package bootpart

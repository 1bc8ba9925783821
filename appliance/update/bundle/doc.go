// Package bundle reads and writes .p64u files, in which the device's software
// comes over the network.
//
// What it does not promise: a bundle carries no kernel, since kernel, firmware and
// boot loader share one partition that cannot be replaced safely; it is signed, not
// encrypted; and that it fits a device is for the updater to find out.
//
// A bundle is a tar archive of three members in this order:
//
//	manifest.json           what is in it and for whom, at most 64 KiB
//	manifest.json.minisig   a minisign signature of the manifest
//	root.squashfs.zst       the root file system, compressed by zstd
//
// The signature covers the manifest, and the manifest has the digest and the size
// of the root, so the whole is covered. Nothing of a bundle is believed before the
// signature was found good, and nothing of the root before its digest was: Open
// checks the first, Verify the second.
package bundle

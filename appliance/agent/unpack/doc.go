// Package unpack takes a few named files out of an archive.
//
// It does not judge what is in them, does not check who made them (the caller
// compares the archive's digest first) and does not restore modes, owners or
// times. It never unpacks a whole archive.
//
// The caller names the files that it wants; nothing else is handed on, so the
// names in an archive never become paths. An archive is refused as a whole when
// an entry leaves the archive's folder, when a wanted file is a link or comes
// twice, or when it holds more bytes or entries than its limits say: whoever
// made such an archive did not mean well, and the rest is not to be trusted.
//
// Tar archives with gzip or zstd and zip archives are told apart by their first
// bytes; names say nothing.
package unpack

// Package image has no code of its own: it holds the tests of the whole device, from
// its image as it is built to a C64 that talks to it. What they use is in the
// folders here: build makes images, fat and nbd are parts of that and of the tests,
// vm runs them, and qemu-amd64 and qemu-arm64 are the gokrazy instances for QEMU.
package image

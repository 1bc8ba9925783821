// Package vm runs images in QEMU, for tests.
//
// It does not make images, it needs QEMU to be installed, and nothing of it is fast:
// there is no hardware acceleration. A machine reaches nothing outside and is
// reached only on ports of loopback that are forwarded to it.
//
// A machine's process ends with Stop, with the test, and with the process that
// started it, however that ends (Linux only). Kill is the power cut of a machine
// whose disk is a plain file: what the guest wrote is kept, flushed or not. With
// Config.Fault the disk is one of package nbd, which loses what a real card loses.
package vm

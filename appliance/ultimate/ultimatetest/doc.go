// Package ultimatetest is a network of fake Ultimates: each answers by UDP as the
// Ident service does and has the part of the REST API that package ultimate uses,
// with what differs between firmware versions and with faults on demand.
//
// What it does not promise: it was written from the firmware's source and its
// documentation, and has met no real device. There is no C64 behind it; a program
// that it was told to run is kept and not run.
//
// The network lies within 127.0.0.0/8, so only Linux has it as it is; elsewhere the
// test that asks for one is skipped, and says so.
package ultimatetest

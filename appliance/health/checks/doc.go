// Package checks is the probes of the appliance's health: power, clock, network,
// data folder, settings, serial line, Wi-Fi, agent, workspaces, bridge and C64s.
//
// What it does not promise: nothing here asks anybody on the internet, so that
// the internet can be reached is not known, only that there is a way out. What the
// system does not tell (the supply's voltage on anything but a Raspberry Pi) is
// Unknown. No check repairs anything; that of the data folder writes and removes
// one small file.
//
// Everything that a check reads of the system comes through a file system or a
// function in its struct, so a test replaces it; System fills in the real ones.
package checks

// Package ultimate finds Ultimates on the local network, says what keeps one from
// running the C64's program, and on request switches its command interface on and
// starts the program.
//
// What it does not promise: nothing between here and an Ultimate is encrypted, its
// password included, and whoever answers in an Ultimate's name is believed. That a
// device took a program says that it was loaded and started, not that it runs well.
// A device that is not in one of this machine's networks is not found, and not
// spoken to either.
//
// The idea: a [Finder] asks by UDP port 64, which a device answers whatever its
// password is, and a [Client] then looks at each through its REST API. What is off is
// a [Trouble]: a code for programs, and words for people that say what to do.
//
// Invariants: only an address within a local network is dialled, and of what an
// answer says nothing but its source address is; redirects and proxies are not
// followed. Each body is bounded, each request has a deadline, and a device gets one
// request at a time, since parallel ones can wedge its network. A program is sent
// again only after the device has refused it, so that nobody's C64 is reset twice. The
// password is never part of an error, a log line or a value that prints itself.
package ultimate

// Package mdns gives this machine its name on the local network, prompt64.local, and
// tells other programs there of its services, by multicast DNS (RFC 6762, 6763).
//
// What it does not promise: whoever is in the network may claim any name, so the name
// proves nothing. It speaks IPv4 only, as a C64 does; asked for an IPv6 address it says
// that there is none. A number that was added to the name is not remembered over a
// restart. A question that comes in several packets is answered at its first one. An
// Ultimate looks no such names up, so a C64 is given the address.
//
// The idea: one goroutine owns the state, the rest are packets and the clock. The name
// is asked for three times before it is used; who answers has it, and this machine
// becomes prompt64-2, and so on. Then it is announced, defended, and asked for anew when
// somebody else uses it after all or an interface gets another address. Interfaces are
// looked at every few seconds, so Wi-Fi may come and go.
//
// Why no library does this: grandcat/zeroconf, libp2p/zeroconf and hashicorp/mdns ask
// nobody before they take a name; pion/mdns has no service records; brutella/dnssd
// asks, but takes the name of an older machine with a lower address, hears nothing on
// an interface that came up after its start, and leaves goroutines behind. The packets
// are golang.org/x/net's.
//
// Invariants: nothing is announced before it was asked for; every address told on a
// link is one of that link; a record is multicast at most once a second on a link; a
// question from outside the link is not answered, so nobody is flooded through us.
package mdns

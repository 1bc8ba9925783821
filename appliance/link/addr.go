package link

import "net"

// Addr is a serial port as an address.
type Addr string

var _ net.Addr = Addr("")

// Network implements net.Addr.
func (a Addr) Network() string { return "serial" }

// String implements net.Addr.
func (a Addr) String() string { return string(a) }
